/** English trades of education, health care, entertainment, hospitality, repair and government. */
import { type Trades, trades } from "./trades.ts";

type PeopleSector = "61" | "62" | "71" | "72" | "81" | "92";

export const PEOPLE_TRADES: Pick<Trades, PeopleSector> = {
  "61": trades(`
College | welding courses; online nursing diplomas | trades training centre
  | lecture capture | laboratory furniture; campus food services | nursing instructor; registrar
Learning | early childhood education; tutoring | daycare wing
  | adaptive testing | classroom tablets; student transport
  | instructional designer; early childhood educator
Flight School | pilot training; instrument ratings | simulator hall
  | flight data analysis | flight simulators; aviation fuel | flight instructor; aircraft mechanic
Language Institute | French immersion programs; business English courses | student residence
  | speech recognition | textbooks; student insurance | language teacher; admissions officer
`),
  "62": trades(`
Health | home dialysis care; mobile mammography | ambulatory surgery centre
  | remote patient monitoring | imaging equipment; sterile supplies
  | registered nurse; radiation technologist
Clinics | family medicine; sports physiotherapy | imaging suite
  | telehealth software | electronic records migration; examination tables
  | clinic manager; physiotherapist
Senior Living | memory care residences; assisted living | long-term care home
  | fall detection sensors | nurse call systems; meal delivery services
  | personal support worker; recreation coordinator
Dental | pediatric dentistry; orthodontics | dental surgery
  | intraoral scanning | dental chairs; sterilizers | dental hygienist; office manager
Rehabilitation | stroke rehabilitation; prosthetics fitting | rehabilitation hospital
  | robotic gait training | hydrotherapy pools; exercise equipment
  | occupational therapist; prosthetist
`),
  "71": trades(`
Theatres | touring theatre productions; drama camps | black box theatre
  | LED video walls | stage lighting; costume supplies | technical director; stage carpenter
Arenas | youth hockey tournaments; public skating | twin-pad arena
  | dynamic ticket pricing | ice resurfacers; ticketing software | ice technician; event manager
Museums | regional history exhibitions; school tours | exhibition gallery
  | interactive projection | exhibit fabrication; climate control for archives
  | museum curator; conservator
Climbing Gyms | indoor climbing memberships; climbing courses | climbing hall
  | auto-belay devices | climbing holds; safety flooring | route setter; front desk manager
Ski Resort | night skiing; downhill bike trails | chairlift
  | snowmaking automation | snowmaking pumps; rental skis | lift operations manager; ski patroller
`),
  "72": trades(`
Hotels | boutique hotel rooms; conference hosting | eighty-room hotel
  | mobile check-in | bed linen; elevator maintenance | front desk supervisor; housekeeping manager
Roasters | espresso bars; roasted coffee by subscription | roastery café
  | roast profiling software | espresso machines; green coffee storage | head roaster; café manager
Catering | hospital catering; banquet hosting | central kitchen
  | induction cooking lines | commercial dishwashers; walk-in freezers
  | executive chef; banquet coordinator
Lodges | wilderness fishing lodges; guided hikes | lakeside lodge
  | satellite internet | outboard motors; solar panels | fishing guide; lodge cook
Diners | all-day breakfasts; roadside takeout | highway restaurant
  | kitchen display software | kitchen exhaust cleaning; booth seating
  | line cook; restaurant manager
`),
  "81": trades(`
Auto Repair | electric vehicle repair; collision repair | twelve-bay service garage
  | high-voltage battery diagnostics | vehicle diagnostic tools; wheel alignment racks
  | automotive technician; service adviser
Laundry | hospital linen laundering; dry cleaning | industrial laundry plant
  | ozone laundering | tunnel washers; linen carts | plant supervisor; route driver
Appliance Service | appliance refurbishment; refrigerator repair | repair training shop
  | online booking | spare parts; service vans | appliance repairer; parts clerk
Pet Care | veterinary grooming; dog boarding | boarding kennel
  | customer relationship software | kennel fencing; pet food | groomer; kennel manager
`),
  "92": trades(`
Regional District | wildfire protection; regional transit planning | fire hall
  | geographic information systems | fire engines; bridge inspection
  | fire prevention officer; transit planner
Municipal Authority | building permits; snow clearing | public works garage
  | traffic signal priority | road salt; playground equipment | urban planner; bylaw officer
Port Authority | harbour management; cruise ship berths | harbour control centre
  | vessel traffic monitoring | dredging; shore power connections | harbour master; marine engineer
Conservation Authority | watershed conservation; flood warnings | nature education centre
  | flood forecasting sensors | culvert replacement; tree planting | hydrologist; park ranger
`),
};
