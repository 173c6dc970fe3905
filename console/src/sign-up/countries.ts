/** Countries with their currency and time zones, the zone of most people first. Names and languages come from the browser. */

const ROWS = `
AD EUR Europe/Andorra
AE AED Asia/Dubai
AF AFN Asia/Kabul
AG XCD America/Antigua
AI XCD America/Anguilla
AL ALL Europe/Tirane
AM AMD Asia/Yerevan
AO AOA Africa/Luanda
AR ARS America/Argentina/Buenos_Aires America/Argentina/La_Rioja America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Argentina/Catamarca America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/Mendoza
AS USD Pacific/Pago_Pago
AT EUR Europe/Vienna
AU AUD Australia/Sydney Antarctica/Macquarie Australia/Adelaide Australia/Brisbane Australia/Broken_Hill Australia/Darwin Australia/Eucla Australia/Hobart Australia/Lindeman Australia/Lord_Howe Australia/Melbourne Australia/Perth
AW AWG America/Aruba
AX EUR Europe/Mariehamn
AZ AZN Asia/Baku
BA BAM Europe/Sarajevo
BB BBD America/Barbados
BD BDT Asia/Dhaka
BE EUR Europe/Brussels
BF XOF Africa/Ouagadougou
BG EUR Europe/Sofia
BH BHD Asia/Bahrain
BI BIF Africa/Bujumbura
BJ XOF Africa/Porto-Novo
BL EUR America/St_Barthelemy
BM BMD Atlantic/Bermuda
BN BND Asia/Brunei
BO BOB America/La_Paz
BQ USD America/Kralendijk
BR BRL America/Sao_Paulo America/Araguaina America/Bahia America/Belem America/Boa_Vista America/Campo_Grande America/Cuiaba America/Eirunepe America/Fortaleza America/Maceio America/Manaus America/Noronha America/Porto_Velho America/Recife America/Rio_Branco America/Santarem
BS BSD America/Nassau
BT BTN Asia/Thimphu
BW BWP Africa/Gaborone
BY BYN Europe/Minsk
BZ BZD America/Belize
CA CAD America/Toronto America/Blanc-Sablon America/Cambridge_Bay America/Atikokan America/Creston America/Dawson America/Dawson_Creek America/Edmonton America/Fort_Nelson America/Glace_Bay America/Goose_Bay America/Halifax America/Inuvik America/Iqaluit America/Moncton America/Rankin_Inlet America/Regina America/Resolute America/St_Johns America/Swift_Current America/Vancouver America/Whitehorse America/Winnipeg
CD CDF Africa/Kinshasa Africa/Lubumbashi
CF XAF Africa/Bangui
CG XAF Africa/Brazzaville
CH CHF Europe/Zurich
CI XOF Africa/Abidjan
CK NZD Pacific/Rarotonga
CL CLP America/Santiago America/Coyhaique America/Punta_Arenas Pacific/Easter
CM XAF Africa/Douala
CN CNY Asia/Shanghai Asia/Urumqi
CO COP America/Bogota
CR CRC America/Costa_Rica
CU CUP America/Havana
CV CVE Atlantic/Cape_Verde
CW XCG America/Curacao
CY EUR Asia/Nicosia Asia/Famagusta
CZ CZK Europe/Prague
DE EUR Europe/Berlin Europe/Busingen
DJ DJF Africa/Djibouti
DK DKK Europe/Copenhagen
DM XCD America/Dominica
DO DOP America/Santo_Domingo
DZ DZD Africa/Algiers
EC USD America/Guayaquil Pacific/Galapagos
EE EUR Europe/Tallinn
EG EGP Africa/Cairo
ER ERN Africa/Asmara
ES EUR Europe/Madrid Africa/Ceuta Atlantic/Canary
ET ETB Africa/Addis_Ababa
FI EUR Europe/Helsinki
FJ FJD Pacific/Fiji
FK FKP Atlantic/Stanley
FM USD Pacific/Pohnpei Pacific/Kosrae Pacific/Chuuk
FO DKK Atlantic/Faroe
FR EUR Europe/Paris
GA XAF Africa/Libreville
GB GBP Europe/London
GD XCD America/Grenada
GE GEL Asia/Tbilisi
GF EUR America/Cayenne
GG GBP Europe/Guernsey
GH GHS Africa/Accra
GI GIP Europe/Gibraltar
GL DKK America/Nuuk America/Danmarkshavn America/Scoresbysund America/Thule
GM GMD Africa/Banjul
GN GNF Africa/Conakry
GP EUR America/Guadeloupe
GQ XAF Africa/Malabo
GR EUR Europe/Athens
GT GTQ America/Guatemala
GU USD Pacific/Guam
GW XOF Africa/Bissau
GY GYD America/Guyana
HK HKD Asia/Hong_Kong
HN HNL America/Tegucigalpa
HR EUR Europe/Zagreb
HT HTG America/Port-au-Prince
HU HUF Europe/Budapest
ID IDR Asia/Jakarta Asia/Jayapura Asia/Makassar Asia/Pontianak
IE EUR Europe/Dublin
IL ILS Asia/Jerusalem
IM GBP Europe/Isle_of_Man
IN INR Asia/Kolkata
IQ IQD Asia/Baghdad
IR IRR Asia/Tehran
IS ISK Atlantic/Reykjavik
IT EUR Europe/Rome
JE GBP Europe/Jersey
JM JMD America/Jamaica
JO JOD Asia/Amman
JP JPY Asia/Tokyo
KE KES Africa/Nairobi
KG KGS Asia/Bishkek
KH KHR Asia/Phnom_Penh
KI AUD Pacific/Tarawa Pacific/Enderbury Pacific/Kiritimati
KM KMF Indian/Comoro
KN XCD America/St_Kitts
KP KPW Asia/Pyongyang
KR KRW Asia/Seoul
KW KWD Asia/Kuwait
KY KYD America/Cayman
KZ KZT Asia/Almaty Asia/Aqtau Asia/Aqtobe Asia/Atyrau Asia/Oral Asia/Qostanay Asia/Qyzylorda
LA LAK Asia/Vientiane
LB LBP Asia/Beirut
LC XCD America/St_Lucia
LI CHF Europe/Vaduz
LK LKR Asia/Colombo
LR LRD Africa/Monrovia
LS LSL Africa/Maseru
LT EUR Europe/Vilnius
LU EUR Europe/Luxembourg
LV EUR Europe/Riga
LY LYD Africa/Tripoli
MA MAD Africa/Casablanca
MC EUR Europe/Monaco
MD MDL Europe/Chisinau
ME EUR Europe/Podgorica
MF EUR America/Marigot
MG MGA Indian/Antananarivo
MH USD Pacific/Majuro Pacific/Kwajalein
MK MKD Europe/Skopje
ML XOF Africa/Bamako
MM MMK Asia/Yangon
MN MNT Asia/Ulaanbaatar Asia/Hovd
MO MOP Asia/Macau
MP USD Pacific/Saipan
MQ EUR America/Martinique
MR MRU Africa/Nouakchott
MS XCD America/Montserrat
MT EUR Europe/Malta
MU MUR Indian/Mauritius
MV MVR Indian/Maldives
MW MWK Africa/Blantyre
MX MXN America/Mexico_City America/Bahia_Banderas America/Cancun America/Chihuahua America/Ciudad_Juarez America/Hermosillo America/Matamoros America/Mazatlan America/Merida America/Monterrey America/Ojinaga America/Tijuana
MY MYR Asia/Kuala_Lumpur Asia/Kuching
MZ MZN Africa/Maputo
NA NAD Africa/Windhoek
NC XPF Pacific/Noumea
NE XOF Africa/Niamey
NG NGN Africa/Lagos
NI NIO America/Managua
NL EUR Europe/Amsterdam
NO NOK Europe/Oslo
NP NPR Asia/Kathmandu
NR AUD Pacific/Nauru
NU NZD Pacific/Niue
NZ NZD Pacific/Auckland Pacific/Chatham
OM OMR Asia/Muscat
PA PAB America/Panama
PE PEN America/Lima
PF XPF Pacific/Tahiti Pacific/Gambier Pacific/Marquesas
PG PGK Pacific/Port_Moresby Pacific/Bougainville
PH PHP Asia/Manila
PK PKR Asia/Karachi
PL PLN Europe/Warsaw
PM EUR America/Miquelon
PR USD America/Puerto_Rico
PS ILS Asia/Hebron Asia/Gaza
PT EUR Europe/Lisbon Atlantic/Azores Atlantic/Madeira
PW USD Pacific/Palau
PY PYG America/Asuncion
QA QAR Asia/Qatar
RE EUR Indian/Reunion
RO RON Europe/Bucharest
RS RSD Europe/Belgrade
RU RUB Europe/Moscow Asia/Anadyr Asia/Barnaul Asia/Chita Asia/Irkutsk Asia/Kamchatka Asia/Khandyga Asia/Krasnoyarsk Asia/Magadan Asia/Novokuznetsk Asia/Novosibirsk Asia/Omsk Asia/Sakhalin Asia/Srednekolymsk Asia/Tomsk Asia/Ust-Nera Asia/Vladivostok Asia/Yakutsk Asia/Yekaterinburg Europe/Astrakhan Europe/Kaliningrad Europe/Kirov Europe/Samara Europe/Saratov Europe/Ulyanovsk Europe/Volgograd
RW RWF Africa/Kigali
SA SAR Asia/Riyadh
SB SBD Pacific/Guadalcanal
SC SCR Indian/Mahe
SD SDG Africa/Khartoum
SE SEK Europe/Stockholm
SG SGD Asia/Singapore
SH SHP Atlantic/St_Helena
SI EUR Europe/Ljubljana
SK EUR Europe/Bratislava
SL SLE Africa/Freetown
SM EUR Europe/San_Marino
SN XOF Africa/Dakar
SO SOS Africa/Mogadishu
SR SRD America/Paramaribo
SS SSP Africa/Juba
ST STN Africa/Sao_Tome
SV USD America/El_Salvador
SX XCG America/Lower_Princes
SY SYP Asia/Damascus
SZ SZL Africa/Mbabane
TC USD America/Grand_Turk
TD XAF Africa/Ndjamena
TG XOF Africa/Lome
TH THB Asia/Bangkok
TJ TJS Asia/Dushanbe
TL USD Asia/Dili
TM TMT Asia/Ashgabat
TN TND Africa/Tunis
TO TOP Pacific/Tongatapu
TR TRY Europe/Istanbul
TT TTD America/Port_of_Spain
TV AUD Pacific/Funafuti
TW TWD Asia/Taipei
TZ TZS Africa/Dar_es_Salaam
UA UAH Europe/Kyiv Europe/Simferopol
UG UGX Africa/Kampala
US USD America/New_York America/Adak America/Anchorage America/Boise America/Chicago America/Denver America/Detroit America/Indiana/Knox America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Tell_City America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Indiana/Indianapolis America/Juneau America/Kentucky/Monticello America/Los_Angeles America/Kentucky/Louisville America/Menominee America/Metlakatla America/Nome America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem America/Phoenix America/Sitka America/Yakutat Pacific/Honolulu
UY UYU America/Montevideo
UZ UZS Asia/Tashkent Asia/Samarkand
VA EUR Europe/Vatican
VC XCD America/St_Vincent
VE VES America/Caracas
VG USD America/Tortola
VI USD America/St_Thomas
VN VND Asia/Ho_Chi_Minh
VU VUV Pacific/Efate
WF XPF Pacific/Wallis
WS WST Pacific/Apia
XK EUR Europe/Belgrade
YE YER Asia/Aden
YT EUR Indian/Mayotte
ZA ZAR Africa/Johannesburg
ZM ZMW Africa/Lusaka
ZW ZWG Africa/Harare
`;

export type Country = { code: string; currency: string; zones: readonly string[] };

export const COUNTRIES: readonly Country[] = ROWS.trim()
  .split("\n")
  .map((row) => {
    const [code = "", currency = "", ...zones] = row.split(" ");
    return { code, currency, zones };
  });

export const countryOf = (code: string): Country | undefined => COUNTRIES.find((country) => country.code === code);

/** The browser may know a zone by an older name. */
const currentName = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
};

export const isSameZone = (a: string, b: string): boolean => a === b || currentName(a) === currentName(b);

/** The country where a browser with this zone most likely is. A zone that several countries share is that of the first with it alone. */
export const countryOfZone = (zone: string): Country | undefined => {
  const name = currentName(zone);
  return (
    COUNTRIES.find(({ zones }) => zones.some((one) => one === zone)) ??
    COUNTRIES.find(({ zones }) => zones.some((one) => currentName(one) === name))
  );
};

/** The language of most people there. */
export const languageOf = (code: string): string => new Intl.Locale(`und-${code}`).maximize().language ?? "en";

/** The languages of all countries, and English. */
export const languagesOfCountries = (): string[] => [...new Set(["en", ...COUNTRIES.map(({ code }) => languageOf(code))])];
