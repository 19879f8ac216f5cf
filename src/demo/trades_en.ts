/** English trades of all sectors. */
import { type Trades, trades } from "./trades.ts";

export const ENGLISH_TRADES: Trades = {
  "11": trades(`
Orchards | honeycrisp apples; pressed apple cider | cold storage warehouse for fruit
  | optical fruit grading | refrigerated bins; drip irrigation lines | orchard manager; agronomist
Grain Growers | certified pulse crops; cold-pressed canola oil | grain elevator
  | variable-rate seeding | grain dryers; aeration fans | agronomist; grain elevator operator
Greenhouses | hydroponic lettuce; vine tomatoes | twelve-hectare greenhouse
  | climate control software | greenhouse LED lighting; shade screens
  | greenhouse grower; irrigation technician
Forest Products | softwood logs; cedar shakes | log sorting yard
  | drone forest surveys | harvester parts; road culverts | silviculture supervisor; scaler
Aquaculture | Atlantic salmon; rainbow trout | fish hatchery
  | underwater feeding cameras | oxygen generators; net pens | fish health technician; site diver
`),
  "21": trades(`
Minerals | lithium concentrate; copper cathode | flotation concentrator
  | X-ray ore sorting | assay laboratory services; tailings pond liners
  | metallurgist; mine geologist
Aggregates | crushed limestone; washed sand | quarry extension
  | automated truck scales | conveyor belts; crusher liners | blasting supervisor; quarry foreman
Resources | potash granules; helium gas | tailings treatment plant
  | battery-electric loaders | ventilation fans; haul truck tires | tailings engineer; mine planner
Drilling | diamond core drilling; exploration surveys | core storage building
  | ground-penetrating radar | diamond drill bits; drill rod
  | drill supervisor; exploration geologist
`),
  "22": trades(`
Power | run-of-river electricity; wind power | battery storage site
  | grid-forming inverters | high-voltage transformers; vegetation management
  | power line technician; grid planner
Water Utility | treated drinking water; wastewater treatment | water treatment plant
  | ultraviolet disinfection | smart water meters; ductile iron pipe
  | water treatment operator; asset engineer
Hydro | hydroelectric power; dam safety services | switching substation
  | turbine condition monitoring | substation relays; trash rack repairs
  | protection engineer; dam operator
Gas Distribution | natural gas delivery; renewable natural gas | biogas upgrading plant
  | leak detection drones | plastic gas pipe; pressure regulators | gas fitter; pipeline inspector
`),
  "23": trades(`
Builders | mass timber buildings; warehouse construction | modular home factory
  | building information modelling | tower crane rental; ready-mix concrete
  | site superintendent; estimator
Civil Works | bridge rehabilitation; sewer renewal | equipment yard
  | robotic total stations | reinforcing steel; traffic control services
  | crane operator; survey technician
Roofing | commercial roofing; green roofs | sheet metal shop
  | thermal roof imaging | roofing membrane; fall protection gear | roofing foreman; estimator
Mechanical Contractors | ventilation retrofits; refrigeration installation | prefabrication shop
  | laser scanning of sites | copper pipe; commissioning services
  | refrigeration mechanic; plumbing foreman
`),
  "31-33": trades(`
Frozen Foods | frozen plant-based meals; frozen berries | cold storage warehouse
  | automated storage and retrieval | cold storage racking; corrugated packaging
  | food safety lead; process engineer
Plastics | compostable food trays; recycled resin | blow-moulding plant
  | machine vision inspection | injection moulding machines; resin silos
  | mould technician; quality assurance manager
Precision Machining | aerospace brackets; surgical instrument blanks | heat treatment shop
  | additive manufacturing | aluminum billet; cutting tools | machinist; manufacturing engineer
Batteries | lithium iron phosphate cells; battery packs for buses | cell assembly plant
  | dry-room process control | electrode coating machines; solvent recovery
  | electrochemist; process engineer
Steelworks | stainless steel tanks; structural steel | powder coating shop
  | robotic welding | overhead cranes; shot blasting machines
  | welding supervisor; maintenance millwright
`),
  "42": trades(`
Food Distributors | chilled grocery distribution; seafood import
  | refrigerated distribution warehouse with cold storage
  | voice picking | cold storage racking; reach trucks | inventory planner; warehouse manager
Electrical Supply | cable and conduit; lighting controls | regional distribution centre
  | electronic data interchange | pallet racking; barcode scanners
  | inside sales representative; branch manager
Medical Wholesale | medical consumables; diagnostic kits | bonded warehouse
  | temperature data loggers | freight brokerage services; shelving
  | purchasing manager; regulatory specialist
Lumber Trading | specialty lumber; plywood | reload yard
  | demand forecasting software | forklift leasing; shrink-wrap film
  | lumber trader; yard supervisor
`),
  "44-45": trades(`
Outfitters | winter camping gear; canoe packs | flagship store
  | inventory tags | store fixtures; security cameras | store manager; merchandise buyer
Grocers | bulk organic groceries; ready meals | online order warehouse with cold storage
  | electronic shelf labels | refrigerated display cases; delivery vans
  | store manager; produce buyer
Hardware | garden tools; paint and fasteners | garden centre
  | point-of-sale software | self-checkout kiosks; lumber racks | department manager; key cutter
Pharmacy | prescription medicines; refillable toiletries | dispensing centre
  | pill-counting robots | blister packaging; medicine refrigerators
  | pharmacist; pharmacy technician
Furniture | solid maple furniture; mattresses | furniture showroom
  | room planning software | delivery trucks; upholstery fabric
  | store manager; delivery coordinator
`),
  "48-49": trades(`
Cold Storage | cold storage for food producers; blast freezing | cold storage warehouse
  | ammonia refrigeration controls | refrigeration systems for a new warehouse; dock levellers
  | refrigeration mechanic; warehouse supervisor
Freight | refrigerated trucking; long-haul freight | truck maintenance depot
  | electronic logging devices | reefer trailer maintenance; telematics units
  | long-haul driver; diesel mechanic
Logistics | last-mile parcel delivery; order fulfilment | parcel sorting hub
  | route optimization software | electric yard tractors; sorter belts
  | dispatch coordinator; customs specialist
Rail Services | short-line rail haulage; railcar repair | intermodal yard
  | track inspection cameras | rail ties; locomotive parts | locomotive engineer; track foreman
Marine Terminals | container handling; bulk marine handling | container yard
  | gate appointment software | dredging services; mooring lines | crane operator; terminal planner
`),
  "51": trades(`
Software | payroll software; geospatial analytics | engineering office
  | Kubernetes | penetration testing; cloud cost audits
  | site reliability engineer; product designer
Media | podcast production; regional news | sound stage
  | captioning software | studio microphones; captioning services | video editor; audience analyst
Data Centres | server colocation; managed backup | data centre hall
  | liquid server cooling | server cooling units; backup generators
  | data centre technician; network architect
Broadband | rural fibre internet; fixed wireless internet | network operations centre
  | edge caching | fibre splicing crews; utility pole surveys | network architect; field technician
Game Studios | educational games; animation | motion capture studio
  | real-time rendering | rendering hardware; localization services | gameplay programmer; 3D artist
`),
  "52": trades(`
Credit Union | small business loans; mortgages | member service branch
  | core banking software | branch renovation; fraud detection software
  | commercial lender; compliance officer
Insurance | crop insurance; title insurance | claims processing centre
  | telematics-based pricing | actuarial consulting; call centre services | actuary; claims adjuster
Pensions | pension administration; retirement planning | administration centre
  | document recognition software | printing and mailing; actuarial consulting
  | pension analyst; actuary
Payments | instant payment processing; card terminals | payments operations hub
  | anti-money-laundering screening | identity verification services; card terminals in bulk
  | risk analyst; integration engineer
`),
  "53": trades(`
Properties | student housing; medical office leasing | mixed-use tower
  | smart thermostats | elevator modernization; heat pumps | property manager; building operator
Realty | industrial condominiums; retail leasing | industrial park
  | digital lease management | roof condition assessments; snow removal
  | leasing agent; asset manager
Equipment Rentals | aerial lift rental; generator rental | rental yard
  | fleet tracking | aerial lifts; tire repair services
  | rental coordinator; heavy equipment mechanic
Self Storage | self-storage units; vehicle storage | self-storage complex
  | remote gate control | roll-up doors; security cameras | site manager; maintenance technician
`),
  "54": trades(`
Engineering | bridge design; flood plain mapping | wind tunnel
  | computational fluid dynamics | computer-aided design licences; survey drones
  | structural engineer; hydrologist
Laboratories | contract drug testing; soil testing | biosafety laboratory
  | liquid chromatography | mass spectrometers; specialist laboratory gases
  | laboratory technologist; chemist
Architects | school design; heritage restoration plans | design studio
  | virtual walk-throughs | model making services; large-format printers
  | architect; interior designer
Surveying | land surveys; pipeline route surveys | field office
  | lidar mapping | survey drones; satellite receivers | land surveyor; drone pilot
Advisory | environmental site assessments; user research | client workshop centre
  | statistical modelling | translation services; survey panels
  | policy analyst; environmental scientist
`),
  "55": trades(`
Holdings | oversight of regional dairies; shared treasury services | head office
  | treasury management software | consolidation software; enterprise risk audits
  | group controller; internal auditor
Group | management of family-owned mills; shared purchasing | shared services centre
  | robotic process automation | executive search services; office relocation
  | corporate secretary; purchasing director
Enterprises | franchise administration; brand licensing | executive training campus
  | board portal software | legal services; event catering | franchise manager; mergers analyst
`),
  "56": trades(`
Recycling | electronics recycling; organic waste composting | material recovery facility
  | near-infrared sorting | optical sorters; compactor trucks | waste route driver; plant supervisor
Facility Services | janitorial services; window cleaning | supply depot
  | robotic floor scrubbers | uniform supply; cleaning chemicals | facility supervisor; cleaner
Staffing | seasonal staffing; executive recruiting | recruitment centre
  | candidate matching software | payroll services; background checks | recruiter; account manager
Remediation | soil remediation; asbestos removal | soil treatment site
  | thermal desorption | leachate treatment; excavator rental
  | environmental technician; project geologist
Security | mobile patrols; alarm monitoring | monitoring centre
  | video analytics | guard scheduling software; patrol cars | security guard; operations manager
`),
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
