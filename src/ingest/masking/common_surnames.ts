/**
 * Surnames that are common in Canada and the United States, in many languages. They are used only
 * in doubtful cases: a name that ends in one is that of a person, not of a firm.
 */
const NAMES =
  "smith jones williams davis miller wilson moore taylor thomas jackson martin thompson " +
  "robinson clark rodriguez lewis walker allen hernandez lopez gonzalez gonzález garcía garcia " +
  "martinez martínez perez pérez sanchez sánchez ramirez ramírez torres flores rivera gomez gómez " +
  "diaz díaz reyes cruz morales ortiz gutierrez chavez ramos nguyen tran pham huynh hoang phan vu " +
  "dang bui wang li zhang liu chen yang huang zhao wu zhou xu sun zhu lin guo gao zheng liang xie " +
  "tang wong chan chow cheung leung lam ng kim lee choi jung kang yoon lim tanaka suzuki sato " +
  "yamamoto singh kaur patel sharma gupta kumar khan ahmed hussain malik shah mehta reddy rao iyer " +
  "nair das bose chowdhury begum rahman ali hassan hussein mohamed mohammed abdullah ibrahim osman " +
  "okafor okonkwo adeyemi nkrumah mensah diallo traoré ba ndiaye tremblay gagnon bouchard gauthier " +
  "morin lavoie fortin gagné ouellet pelletier bélanger lévesque bergeron leblanc paquette girard " +
  "simard boucher caron beaulieu cloutier dubé poirier fournier lapointe leclerc lefebvre thibault " +
  "nadeau martel silva santos oliveira pereira ferreira costa rossi russo ferrari ivanov petrov " +
  "kowalski nowak murphy kelly sullivan anderson johnson brown";

const SURNAMES: ReadonlySet<string> = new Set(NAMES.split(" "));

/** Returns whether a word is a common surname, in any case of letters. */
export function isCommonSurname(word: string): boolean {
  return SURNAMES.has(word.toLowerCase());
}
