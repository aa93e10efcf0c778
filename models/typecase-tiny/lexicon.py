"""The words that the generator builds its sentences from."""

# Things that can be liked or disliked, with the frames' verbs chosen to fit all of them.
THINGS_EN = (
    "film book song meal hotel phone camera coffee soup game show concert museum garden chair "
    "jacket lamp laptop bike train flight menu staff room pizza bread cake story play album "
    "store market lesson course teacher doctor driver guide tour beach park bridge radio watch "
    "keyboard screen battery bag shoe shirt table sofa bed kitchen view"
).split()
THINGS_JA = (
    "映画 本 歌 料理 ホテル 電話 カメラ コーヒー スープ ゲーム 番組 演奏会 博物館 庭 椅子 上着 照明 "
    "自転車 電車 部屋 パン ケーキ 物語 劇 店 市場 授業 先生 医者 案内 旅行 海岸 公園 時計 画面 電池 鞄 靴 "
    "机 寝台 台所 景色 接客 音質 味 値段 説明書 包装"
).split()

POSITIVE_EN = (
    "wonderful great excellent lovely superb delightful pleasant brilliant charming perfect "
    "impressive beautiful fantastic enjoyable friendly reliable comfortable splendid tasty neat "
    "clever elegant amazing helpful bright cheerful fresh smooth solid outstanding graceful fine"
).split()
NEGATIVE_EN = (
    "terrible awful boring poor dreadful horrible dull nasty ugly broken disappointing weak "
    "unpleasant rude useless slow dirty noisy cheap bland painful sad lazy clumsy messy faulty "
    "tiresome annoying gloomy stale rough hopeless"
).split()
POSITIVE_VERBS_EN = "loved enjoyed liked adored admired praised".split()
NEGATIVE_VERBS_EN = "hated disliked regretted despised resented avoided".split()
DEGREES_EN = "very really truly quite so".split()
PEOPLE_EN = "I|we|my sister|my friend|everyone|my father|the children|my boss".split("|")

# Japanese adjectives as (plain, past, negated); na-adjectives carry their copula.
POSITIVE_JA = [
    ("楽しい", "楽しかった", "楽しくない"),
    ("美しい", "美しかった", "美しくない"),
    ("素晴らしい", "素晴らしかった", "素晴らしくない"),
    ("面白い", "面白かった", "面白くない"),
    ("良い", "良かった", "良くない"),
    ("嬉しい", "嬉しかった", "嬉しくない"),
    ("優しい", "優しかった", "優しくない"),
    ("心地よい", "心地よかった", "心地よくない"),
    ("快適だ", "快適だった", "快適ではない"),
    ("見事だ", "見事だった", "見事ではない"),
    ("最高だ", "最高だった", "最高ではない"),
    ("親切だ", "親切だった", "親切ではない"),
    ("便利だ", "便利だった", "便利ではない"),
    ("丁寧だ", "丁寧だった", "丁寧ではない"),
    ("立派だ", "立派だった", "立派ではない"),
    ("魅力的だ", "魅力的だった", "魅力的ではない"),
]
NEGATIVE_JA = [
    ("つまらない", "つまらなかった", "つまらなくない"),
    ("悪い", "悪かった", "悪くない"),
    ("ひどい", "ひどかった", "ひどくない"),
    ("まずい", "まずかった", "まずくない"),
    ("汚い", "汚かった", "汚くない"),
    ("うるさい", "うるさかった", "うるさくない"),
    ("苦しい", "苦しかった", "苦しくない"),
    ("悲しい", "悲しかった", "悲しくない"),
    ("退屈だ", "退屈だった", "退屈ではない"),
    ("最悪だ", "最悪だった", "最悪ではない"),
    ("不便だ", "不便だった", "不便ではない"),
    ("不快だ", "不快だった", "不快ではない"),
    ("残念だ", "残念だった", "残念ではない"),
    ("雑だ", "雑だった", "雑ではない"),
    ("無駄だ", "無駄だった", "無駄ではない"),
    ("粗末だ", "粗末だった", "粗末ではない"),
]
DEGREES_JA = ["とても", "本当に", "かなり", "実に"]

CATEGORIES_EN = {
    "a fruit": "apple banana grape peach cherry lemon melon orange pear plum mango strawberry",
    "an animal": "dog cat horse cow tiger rabbit monkey lion sheep bear fox elephant",
    "a colour": "red blue green yellow black white purple brown pink grey silver violet",
    "a vehicle": "car bus truck ship tram scooter tractor van taxi ferry rocket canoe",
    "a tool": "hammer saw drill wrench shovel axe pliers ladder rake chisel file spanner",
    "a piece of clothing": "hat coat sock glove scarf skirt sweater trousers belt blouse vest tie",
    "a part of the body": "arm leg hand foot knee elbow shoulder neck finger ear nose mouth",
    "a musical instrument": (
        "piano violin drum flute guitar trumpet harp cello organ "
        "clarinet banjo oboe"
    ),
    "a vegetable": (
        "carrot potato onion cabbage spinach radish pumpkin cucumber pea "
        "celery leek turnip"
    ),
    "a sport": "football tennis golf hockey rugby judo skiing boxing rowing cricket karate fencing",
    "a job": "nurse baker farmer pilot lawyer painter sailor tailor dentist plumber judge waiter",
    "a bird": "eagle owl crow duck swan parrot pigeon sparrow robin heron goose hawk",
}
CATEGORIES_JA = {
    "果物": "りんご バナナ ぶどう もも みかん レモン メロン いちご なし かき",
    "動物": "犬 猫 馬 牛 虎 うさぎ 猿 ライオン 羊 熊",
    "色": "赤 青 緑 黄色 黒 白 紫 茶色 桃色 灰色",
    "乗り物": "車 バス トラック 船 電車 飛行機 自転車 タクシー 地下鉄 ヨット",
    "道具": "金づち のこぎり 包丁 はさみ 定規 ほうき 鍵 針 釘抜き 縄",
    "服": "帽子 上着 靴下 手袋 シャツ ズボン 着物 セーター 浴衣 マフラー",
    "体の部分": "腕 足 手 膝 肩 首 指 耳 鼻 口",
    "楽器": "ピアノ 太鼓 笛 ギター 琴 ラッパ 三味線 オルガン ハープ チェロ",
    "野菜": "にんじん じゃがいも 玉ねぎ 大根 ほうれん草 きゅうり なす かぼちゃ ねぎ ごぼう",
    "仕事": "医者 教師 農家 大工 漁師 弁護士 画家 記者 警察官 美容師",
}

CAPITALS = [
    ("Japan", "Tokyo", "日本", "東京"),
    ("France", "Paris", "フランス", "パリ"),
    ("Italy", "Rome", "イタリア", "ローマ"),
    ("Spain", "Madrid", "スペイン", "マドリード"),
    ("Germany", "Berlin", "ドイツ", "ベルリン"),
    ("Greece", "Athens", "ギリシャ", "アテネ"),
    ("Egypt", "Cairo", "エジプト", "カイロ"),
    ("China", "Beijing", "中国", "北京"),
    ("Korea", "Seoul", "韓国", "ソウル"),
    ("Peru", "Lima", "ペルー", "リマ"),
    ("Cuba", "Havana", "キューバ", "ハバナ"),
    ("Norway", "Oslo", "ノルウェー", "オスロ"),
    ("Kenya", "Nairobi", "ケニア", "ナイロビ"),
    ("Poland", "Warsaw", "ポーランド", "ワルシャワ"),
    ("Portugal", "Lisbon", "ポルトガル", "リスボン"),
    ("Austria", "Vienna", "オーストリア", "ウィーン"),
    ("Ireland", "Dublin", "アイルランド", "ダブリン"),
    ("Thailand", "Bangkok", "タイ", "バンコク"),
    ("Chile", "Santiago", "チリ", "サンティアゴ"),
    ("Finland", "Helsinki", "フィンランド", "ヘルシンキ"),
    ("Canada", "Ottawa", "カナダ", "オタワ"),
    ("Vietnam", "Hanoi", "ベトナム", "ハノイ"),
    ("Hungary", "Budapest", "ハンガリー", "ブダペスト"),
    ("Denmark", "Copenhagen", "デンマーク", "コペンハーゲン"),
]

OPPOSITES_EN = (
    "hot cold|big small|fast slow|old young|light dark|high low|open closed|rich poor|wet dry|"
    "hard soft|early late|long short|full empty|clean dirty|happy sad|strong weak|deep shallow|"
    "wide narrow|loud quiet|near far|thick thin|sweet bitter|left right|north south|day night|"
    "up down|in out|begin end|buy sell|win lose|push pull|rise fall|ask answer|give take|"
    "war peace|true false"
)
OPPOSITES_JA = (
    "暑い 寒い|大きい 小さい|速い 遅い|古い 新しい|明るい 暗い|高い 低い|開く 閉じる|広い 狭い|"
    "硬い 柔らかい|長い 短い|強い 弱い|深い 浅い|近い 遠い|厚い 薄い|甘い 苦い|右 左|北 南|"
    "昼 夜|上 下|内 外|始まる 終わる|買う 売る|勝つ 負ける|押す 引く|戦争 平和|入口 出口|増える 減る"
)

MONTHS_EN = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS_EN = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
WEEKDAYS_JA = "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日".split()

NAMES_EN = (
    "Mira Tom Anna Leo Nora Sam Ivy Max Ella Ben Zoe Hugo Lena Omar Ruth Karl Dora Finn"
).split()
NAMES_JA = "田中 鈴木 佐藤 高橋 伊藤 山本 中村 小林 加藤 吉田 山田 松本".split()
CITIES_EN = "Kyoto Vienna Lima Oslo Cairo Berlin Dublin Osaka Madrid Lisbon Athens Nairobi".split()
CITIES_JA = "東京 大阪 京都 名古屋 札幌 福岡 神戸 仙台 広島 奈良".split()

FILLER_SUBJECTS_EN = (
    "The old man|A young teacher|My neighbour|The cat|A small boat|The baker|The river|"
    "Our train|The moon|A farmer"
).split("|")
FILLER_VERBS_EN = (
    "walks to|waits near|looks at|returns from|moves past|rests beside|leaves|reaches|passes|"
    "watches"
).split("|")
FILLER_PLACES_EN = (
    "the market|the harbour|a quiet street|the hills|the school|an empty house|the bridge|"
    "the forest|the station|a green field"
).split("|")
FILLER_TIMES_EN = (
    "in the morning|at noon|every evening|after the rain|before winter|on Sunday|again|"
    "without a word"
).split("|")
FILLER_SUBJECTS_JA = "老人|先生|隣の人|猫|小さな船|農家の人|電車|子供たち|旅人|私".split("|")
FILLER_PLACES_JA = "市場|港|静かな道|丘|学校|空き家|橋|森|駅|野原".split("|")
FILLER_VERBS_JA = "へ行く|の前で待つ|を見ている|から帰る|のそばで休む|を通り過ぎる|に着く|を離れる".split("|")
FILLER_TIMES_JA = "朝に|昼に|毎晩|雨の後に|冬の前に|日曜日に|また|静かに".split("|")

SYLLABLES = (
    "ba be bi bo bu da de di do du fa fe fi fo ga ge go ha he hi ho ja jo ka ke ki ko ku la le li "
    "lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu "
    "va ve vi wa we wi ya yo za ze zi zo an en in on un ar er or al el ol as es is os at et it ot"
).split()

SYSTEM_TEXTS = (
    "You are a helpful assistant.|You are Typecase Tiny.|Answer briefly.|Be exact.|"
    "You answer questions.|Give only the answer.|Think, then answer in one word.|"
    "あなたは親切な助手です。|短く答えてください。|答えだけを書いてください。"
).split("|")
