/** English trades of information, finance, real estate, consulting, holdings and support. */
import { type Trades, trades } from "./trades.ts";

type ServiceSector = "51" | "52" | "53" | "54" | "55" | "56";

export const SERVICE_TRADES: Pick<Trades, ServiceSector> = {
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
};
