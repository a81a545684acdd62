"""The words from which the agency's posts are put together: trades, places, sentences.

All of it is invented; a name that you know is a coincidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Trade:
    """What a kind of business talks about.

    Attributes:
        nouns: what follows the first word of its name.
        subjects: noun phrases that fit after a colon.
        facts: whole sentences.
        tags: hashtags, without `#`.
        emoji: what it ends a sentence with.
    """

    key: str
    nouns: tuple[str, ...]
    subjects: tuple[str, ...]
    facts: tuple[str, ...]
    tags: tuple[str, ...]
    emoji: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a business is: its city, zone, country, language and first day of the week."""

    city: str
    zone: str
    country: str
    language: str
    week_start: int = 1


FIRST_WORDS: Final = (
    "Copper", "Juniper", "Blue Door", "Harbour", "Little Owl", "Old Mill", "Seven Steps", "Ember",
    "Lantern", "Quiet Fox", "Saltbox", "Tin Roof", "Wild Thyme", "North Quay", "Paper Moon",
    "Red Kite", "Silver Birch", "Stone Bridge", "Sun Room", "Winding Lane", "Amber", "Cloudberry",
    "Driftwood", "Feather & Oak", "Green Gate", "Half Moon", "Ink & Iron", "Larkspur", "Mossy Log",
    "Nettle",
)  # fmt: skip

TRADES: Final = (
    Trade(
        "bakery",
        ("Bakery", "Bread Works", "Crumb House"),
        ("the rye with caraway", "cinnamon knots", "the plum tart", "our oldest sourdough starter",
         "the two-kilo country loaf", "cardamom buns"),
        ("The dough rests for thirty hours before anybody touches it.",
         "We mill the grain on the day we bake it.",
         "The oven was lit at three this morning.",
         "Whatever is left at six goes to the shelter next door.",
         "Butter costs more this year; the price stays."),
        ("freshbread", "bakery", "sourdough", "breakfast"), ("🍞", "🥐", "🥖", "🧈"),
    ),
    Trade(
        "outdoor",
        ("Outdoor Supply", "Trail Co.", "Mountain Store"),
        ("the two-person tent", "our resoling bench", "the winter map set", "rental snowshoes",
         "a rope that finally retires", "the trail above the quarry"),
        ("Everything we sell, we also repair.",
         "The path is open again after the storm.",
         "Guides meet every Thursday at the back door.",
         "Waterproof means tested under the garden hose, by all of us.",
         "Leave the weather to us and the shoes to your feet."),
        ("hiking", "repairfirst", "outdoors", "trailreport"), ("🥾", "🏕️", "🌲", "⛰️"),
    ),
    Trade(
        "ceramics",
        ("Ceramics", "Kiln", "Pottery"),
        ("the speckled breakfast set", "a glaze that went wrong in a good way", "bowl number 400",
         "tall cups without handles", "the open studio", "second-choice plates"),
        ("The kiln cools for two days; opening it early is a bad idea we had once.",
         "Every piece is thrown by hand and signed underneath.",
         "Clay remembers how you treated it.",
         "Seconds are sold on the first Saturday of the month.",
         "The blue comes from cobalt and patience."),
        ("ceramics", "handmade", "stoneware", "openstudio"), ("🏺", "🫖", "🎨", "🔥"),
    ),
    Trade(
        "books",
        ("Books", "Reading Room", "Bookshop"),
        ("a novel about a lighthouse", "the poetry shelf", "reading hour for under-fives",
         "our staff picks", "a signed first edition", "the book nobody returns"),
        ("We read everything on this table, so you can argue with us.",
         "The reading group meets upstairs; bring a cushion.",
         "Ordered today, here tomorrow.",
         "We wrap for free and ask no questions.",
         "The shop cat has opinions on crime fiction."),
        ("amreading", "bookshop", "staffpicks", "poetry"), ("📚", "📖", "🐈", "☕"),
    ),
    Trade(
        "bikes",
        ("Cycles", "Bike Workshop", "Wheel House"),
        ("the winter check", "a cargo bike for rent", "new old steel frames",
         "the Sunday ride", "dynamo lights", "a chain that lasted nine years"),
        ("A check takes twenty minutes; coffee is included.",
         "We true wheels by ear and by gauge.",
         "Used parts are in the crates by the door.",
         "Children's bikes are swapped, not sold.",
         "Bring the noise, we find it."),
        ("cycling", "bikerepair", "cargobike", "sundayride"), ("🚲", "🔧", "🚴🏽‍♀️", "🛠️"),
    ),
    Trade(
        "florist",
        ("Flowers", "Flower Yard", "Botanics"),
        ("ranunculus by the armful", "dried meadow wreaths", "the first peonies",
         "a bouquet for bad news", "window boxes", "the wedding on Saturday"),
        ("Cut this morning, two villages away.",
         "Change the water daily and they last a week longer.",
         "We compost every stem.",
         "Tell us the occasion, not the flower.",
         "Delivery by bicycle inside the ring road."),
        ("flowers", "seasonal", "slowflowers", "bouquet"), ("🌷", "🌿", "💐", "🌼"),
    ),
    Trade(
        "coffee",
        ("Coffee", "Roasters", "Espresso Bar"),
        ("the new filter roast", "cold brew on tap", "a cupping for beginners",
         "oat milk from up the road", "the repaired grinder", "beans for the office"),
        ("Roasted on Tuesday, rested, open today.",
         "Bring your own cup and pay less.",
         "We pay the growers before the harvest.",
         "No laptops on Sundays; it is lovely.",
         "The decaf is good. Really."),
        ("coffee", "roastery", "filtercoffee", "baristalife"), ("☕", "🫘", "🥛", "✨"),
    ),
    Trade(
        "yoga",
        ("Yoga", "Movement Studio", "Pilates Room"),
        ("the early class", "breathing for people at desks", "a weekend in the hills",
         "the class for stiff people", "chair yoga", "our new teacher"),
        ("Mats are there, socks are optional.",
         "Come as you are; leave a bit taller.",
         "The first class costs nothing.",
         "Ten minutes of stillness is also a class.",
         "Evening classes are by candlelight until March."),
        ("yoga", "breathe", "movement", "stretch"), ("🧘🏽", "🙏", "🌅", "💪🏿"),
    ),
    Trade(
        "museum",
        ("Museum of Tools", "House of Maps", "Science Loft"),
        ("a compass that points south", "the night opening", "the restored globe",
         "a tour in sign language", "object of the month", "the cabinet of small machines"),
        ("Entry is free on the last Sunday.",
         "The restorer needed eleven months and one very small brush.",
         "Children under ten may press every button.",
         "This object has not been on display for sixty years.",
         "The café has moved to the courtyard."),
        ("museum", "objectofthemonth", "nightopening", "history"), ("🗺️", "🧭", "🔭", "🏛️"),
    ),
    Trade(
        "vet",
        ("Animal Clinic", "Vets", "Pet Care"),
        ("tick season", "a rabbit called Professor", "dental week", "the puppy hour",
         "travelling with cats", "our new ultrasound"),
        ("Call before you come; the waiting room is small and the dogs are not.",
         "Vaccination cards can be sent by mail.",
         "Chocolate is never a treat.",
         "The emergency line is open at night.",
         "Older animals get the quiet room."),
        ("vetlife", "pethealth", "dogs", "cats"), ("🐾", "🐰", "🐶", "🩺"),
    ),
    Trade(
        "garden",
        ("Nursery", "Garden Centre", "Seed Library"),
        ("forty kinds of tomato", "bare-root roses", "the seed swap", "ferns for dark corners",
         "a pear tree for a balcony", "compost by the bucket"),
        ("Plant now, thank yourself in May.",
         "Peat-free, all of it.",
         "Seeds are lent: take some, bring some back.",
         "Slugs dislike this one. We checked.",
         "Water in the morning, deeply, seldom."),
        ("gardening", "growyourown", "seeds", "peatfree"), ("🌱", "🍅", "🌹", "🪴"),
    ),
    Trade(
        "kitchen",
        ("Kitchen", "Canteen", "Noodle Bar"),
        ("the lunch menu", "hand-pulled noodles", "broth number twelve", "a table for eight",
         "pickles by the jar", "the Tuesday curry"),
        ("The menu is short because the kitchen is.",
         "Everything is vegan until you ask for the egg.",
         "We open at noon and close when the pot is empty.",
         "Allergies? Tell us, we cook around them.",
         "Recipes are no secret; the patience is."),
        ("lunch", "eatlocal", "noodles", "seasonalfood"), ("🍜", "🥢", "🌶️", "🍲"),
    ),
    Trade(
        "school",
        ("Language School", "Music School", "Coding Club"),
        ("the summer course", "a trial lesson", "the end-of-term concert",
         "evening classes for beginners", "our new classroom", "exam preparation"),
        ("Groups stay small: eight people, one teacher.",
         "No homework on Fridays.",
         "You will make mistakes; that is the plan.",
         "Grants are available, ask at the desk.",
         "Places go to those who write first."),
        ("learning", "evenings", "newterm", "course"), ("🎓", "🎹", "💡", "✏️"),
    ),
)  # fmt: skip

PLACES: Final = (
    Place("Berlin", "Europe/Berlin", "DE", "de"),
    Place("Lyon", "Europe/Paris", "FR", "fr"),
    Place("Porto", "Europe/Lisbon", "PT", "pt"),
    Place("Seville", "Europe/Madrid", "ES", "es"),
    Place("Leeds", "Europe/London", "GB", "en"),
    Place("Portland", "America/Los_Angeles", "US", "en", 0),
    Place("St. John's", "America/St_Johns", "CA", "en", 0),
    Place("Mérida", "America/Merida", "MX", "es", 0),
    Place("Osaka", "Asia/Tokyo", "JP", "ja", 0),
    Place("Busan", "Asia/Seoul", "KR", "ko", 0),
    Place("Taichung", "Asia/Taipei", "TW", "zh"),
    Place("Pune", "Asia/Kolkata", "IN", "hi"),
    Place("Pokhara", "Asia/Kathmandu", "NP", "ne", 0),
    Place("Huế", "Asia/Ho_Chi_Minh", "VN", "vi"),
    Place("Amman", "Asia/Amman", "JO", "ar", 6),
    Place("Haifa", "Asia/Jerusalem", "IL", "he", 0),
    Place("Adelaide", "Australia/Adelaide", "AU", "en"),
    Place("Nelson", "Pacific/Auckland", "NZ", "en"),
    Place("Thessaloniki", "Europe/Athens", "GR", "el"),
    Place("Lviv", "Europe/Kyiv", "UA", "uk"),
)

OPENERS: Final = (
    "Today: {}.",
    "New this week: {}.",
    "Back by popular demand: {}.",
    "Small news about {}.",
    "Behind the scenes: {}.",
    "One picture, one story: {}.",
    "You asked about {}. Here is the honest answer.",
    "You voted for {}. We listened.",
    "Not sure about {}? Come and see.",
    "Long promised, finally here: {}.",
    "A good day starts with {}.",
    "Three things matter, and one of them: {}.",
    "Nobody told us that {} would be this popular.",
    "If you remember one thing this week: {}.",
)
"""How a post begins; the braces are a subject."""

CALLS: Final = (
    "Open until six.",
    "Come by before noon.",
    "Tell us in the comments.",
    "Tag somebody who needs this.",
    "Save this for the weekend.",
    "First come, first served.",
    "Questions? We answer all of them.",
    "See you on Saturday?",
    "Bring a friend.",
    "No booking needed.",
    "Places are few, write to us.",
    "More tomorrow.",
)

LOCAL: Final = {
    "de": ("Heute bis 19 Uhr geöffnet.", "Wir freuen uns auf euch!",
           "Nur solange der Vorrat reicht.", "Übermorgen erzählen wir mehr."),
    "fr": ("Ouvert jusqu'à 19 h.", "À très bientôt chez nous !", "Dans la limite des stocks.",
           "Ça vous dit ? Passez nous voir."),
    "pt": ("Aberto até às 19h.", "Esperamos por si!", "Amanhã há mais.", "Não é preciso reservar."),
    "es": ("Abierto hasta las 19 h.", "¡Os esperamos!", "¿Quién se apunta?", "Mañana, más."),
    "ja": ("本日は十九時まで営業しています。", "お気軽にお立ち寄りください。",
           "数に限りがあります。", "続きは、また明日。"),
    "ko": ("오늘은 저녁 일곱 시까지 엽니다.", "편하게 들러 주세요.",
           "수량이 많지 않아요.", "내일 또 만나요!"),
    "zh": ("今天營業到晚上七點。", "歡迎隨時來坐坐。", "數量有限,先到先得。", "明天見!"),
    "hi": ("आज शाम सात बजे तक खुला है।", "आइए, आपका स्वागत है।", "मात्रा सीमित है।", "बाकी कल।"),
    "ne": ("आज साँझ सात बजेसम्म खुला छ।", "यहाँहरूलाई स्वागत छ।", "परिमाण सीमित छ।", "बाँकी भोलि।"),
    "vi": ("Hôm nay mở cửa đến bảy giờ tối.", "Rất mong được gặp bạn!", "Số lượng có hạn.",
           "Hẹn gặp lại ngày mai."),
    "ar": ("نفتح اليوم حتى السابعة مساءً.", "أهلًا وسهلًا بكم!", "الكمية محدودة.", "نراكم غدًا."),
    "he": ("פתוחים היום עד שבע בערב.", "נשמח לראות אתכם!", "הכמות מוגבלת.", "מחר נספר עוד."),
    "el": ("Ανοιχτά σήμερα έως τις επτά.", "Σας περιμένουμε!", "Όσο υπάρχουν αποθέματα."),
    "uk": ("Сьогодні працюємо до сьомої.", "Чекаємо на вас!", "Кількість обмежена."),
}  # fmt: skip
"""Sentences that fit every shop, by language."""

REMARKS: Final = (
    "Please name the price.",
    "The picture is from last year.",
    "Too many exclamation marks for us.",
    "Wrong opening hours.",
    "Let us wait until the delivery is here.",
)
"""Why a client rejects a post."""

FAILURES: Final = (
    "The network did not answer in time. Publish the post once more.",
    "The network refused the post: the same text was posted today.",
    "The network could not process the media.",
    "The account may not publish at the moment. Look into its settings on the network.",
)

NOTES: Final = (
    "Photo shoot",
    "Client review",
    "Campaign starts",
    "Shop closed",
    "Delivery of samples",
    "Price list changes",
    "Newsletter",
    "Market day",
    "Open evening",
    "Stocktaking",
    "Interview with the team",
    "Deadline for the flyer",
)

LABELS: Final = (
    ("Campaign", 7),
    ("Evergreen", 2),
    ("Urgent", 1),
    ("Repost 🔁", 8),
    ("Offer", 5),
    ("Event", 3),
    ("Team", 4),
    ("User content", 6),
    ("Press", 9),
    ("季節限定", 6),
)

PEOPLE: Final = (
    "Ada Brandvold", "Bao Nguyễn", "Chiara Valmonte", "Dawit Tessema", "Esi Quartey",
    "Farid Karimov", "Greta Olander", "Hana Sedláková", "Ilan Barzel", "Jun Morikawa",
    "Katya Dovzhenko", "Liam O'Rourke-Bell", "Mehwish Anwar", "Nuno Salvaterra", "Oyuna Batbayar",
    "Petros Galanis", "Quynh Lâm", "Rania Shadid", "Søren Vestergaard", "Tala Manukyan",
    "Uma Deshpande", "Víctor Arriaga", "Wanjiru Kamau", "Ximena Duarte",
)  # fmt: skip
