/** English trades of the sectors that grow, mine, build, make, sell and transport goods. */
import { type Trades, trades } from "./trades.ts";

type GoodsSector = "11" | "21" | "22" | "23" | "31-33" | "42" | "44-45" | "48-49";

export const GOODS_TRADES: Pick<Trades, GoodsSector> = {
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
};
