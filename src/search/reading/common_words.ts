/** Common words of English and French. They are no misspellings, even if no document has them. */

const COMMON = `
about above abroad absence accept access account across action actual adapt address adjust adult advance
advantage advice affect afford after again against agree ahead allow almost alone along already although
always among amount analysis ancient angle angry annual another answer anyone appear approach approve
argue arise around arrange arrive aside asset assist assume assure attach attack attempt attend attract
author autumn available average avoid aware balance basic basis battle beach beautiful beauty become
before begin behave behind belief believe belong below beneath benefit beside better between beyond birth
black blame blank blind block blood board bonus borrow bottom brain brave break breath brief bright
bring broad broken brother brown budget burden cancel candle capable career careful carry catch cause
celebrate centre century certain chain chair challenge chance change channel charge cheap check cheese
chicken chief child choice choose citizen class clean clear climate clock close cloth cloud coach coast
collect colour column combine comfort common compare compete complain complete complex concern conclude
condition conduct confirm connect consider consist constant contact contain contest context continue
control convert convince correct couple courage course cover create credit crime crisis cross crowd
culture current custom damage dance danger daughter death debate decade decide decision declare decline
decrease defeat defend define degree delay deliver demand depend describe desert deserve desire despite
detail detect device differ difficult direct dirty disagree discover discuss disease distance divide
doctor double doubt dream dress drink drive during eager early earth easily eastern economy education
effect effort eight either elderly elect empty enable encourage enemy engage enjoy enough ensure enter
entire equal error escape essential establish estimate evening event evidence exact example except
exchange exist expect expense experience expert explain explore export expose express extend extra
extreme fabric factor failure faith false family famous fashion father fault favour feature female fence
field fight figure final finger finish first flight float floor flower focus follow force foreign forest
forget formal former forward found frame freedom fresh friend front fruit future garden gather general
gentle glass global grant grass great green ground group guard guess guest guide habit happen happy harbour
health heart heavy height history holiday honest honour horse house human humour hundred hurry ideal
ignore image imagine impact import improve include income increase indeed inform inside instead intend
interest island issue itself join journal journey judge justice kitchen knife labour language large later
laugh launch lawyer leader learn leave legal lemon length lesson letter level light limit listen little
local lonely lower lucky lunch machine magic major marry matter maybe measure member memory mention
message metal middle might minor minute mirror mistake mixture modern moment money monitor month moral
morning mother motion mountain mouth movement music mutual narrow nation native nature nearly necessary
neighbour neither nephew network never night nobody noise normal north notice novel number object observe
obvious occur ocean offer officer often older opinion oppose option orange order ordinary original other
ought outside owner oxygen package painful paint panel paper parent partly party passage patient pattern
peace people percent perfect perform perhaps period permit person phone photo phrase piece pilot place
plain planet plastic plate player please plenty pocket poetry point poison police policy polite popular
position positive possible potato pound poverty power practice praise prefer prepare present press pretend
pretty prevent price pride prince print prior prison private prize problem process produce profit promise
proof proper protect proud prove public pupil purpose quality quarter queen question quick quiet quite
radio raise range rapid rather reach react ready reality realize reason recall receive record recover
reduce refer reflect refuse regard regret relate relax release relief remain remember remind remote
remove repeat replace reply report represent request require rescue resist respect respond result retire
return reveal reward rhythm right rough round route royal salary sample satisfy scale scene schedule
school science season second secret secure select senior sense separate serious settle seven several
severe shade shake shape share sharp shelter shine shirt shock shoot short should shout shower silence
silver similar simple since single sister sleep slide slight small smart smell smile smoke smooth social
society soldier solid solve someone sound source south space speak special speech speed spend spirit
split sport spread spring square stable staff stage stairs stand start state station steady steal steam
steel still stock stomach stone store storm story strange street strength stress stretch strict strike
string strong student study style subject succeed sudden suffer sugar suggest summer sunday supply support
suppose surface surprise survey survive suspect sweet swing switch symbol table talent target taste teach
temper thank theory there thick thing think third though thought thousand threat three through throw
ticket tight title today together tomorrow tongue tooth total touch tough toward tower track trade train
travel treat treaty trend trial trick trouble truck trust truth twelve twenty under unique united unless
until upper upset urban usual valley value various vehicle verse victim village violin visit voice volume
waste watch water weapon wealth weather wedding weekend weight welcome western wheat wheel where whether
which while white whole widow width window winter wisdom within without woman wonder worker world worry
worth would wound write wrong young youth
absence accord accueil achat action adresse affaire agent aider ailleurs ainsi aller alors ancien animal
annee appel apporter apprendre apres arbre argent arriver article assez atteindre attendre aucun
auteur autour autre avance avant avenir avoir bataille bateau beaucoup besoin blanc boire bonheur bouche
bruit campagne canal carte cause celui cependant certain chacun chaleur chambre champ chance changer
chaque charge chemin chercher cheval chose choisir cinquante citoyen classe climat coeur combien comme
comment commencer commun compte conduire connaitre conseil construire contraire contre corps couleur
courage courir cours couvrir crainte croire cuisine culture dame danger danse debut decider dedans dehors
demain demander depuis dernier derriere descendre desir dessus devant devenir devoir difference difficile
dimanche donner douceur doute droit durer echanger ecole ecouter ecrire effet effort eglise eleve
empecher encore endroit enfant enfin ensemble ensuite entendre entier entrer envie environ equipe espace
espece esperer esprit etage etoile etranger etude exemple facile facon faible faire famille fatigue femme
ferme fille finir fleur fleuve force foret forme frais frere froid front fruit garder general gens gloire
gouverner grand guerre habitude haut herbe heure heureux hiver homme honneur idee image important jamais
jardin jeter jeudi jeune joindre jouer journal journee juger juillet juste laisser langue large lendemain
lequel lettre liberte ligne livre loin longtemps lorsque lumiere lundi maintenant maison maitre malade
malgre manger maniere marche mardi marquer matin mauvais meilleur membre memoire mener mesure mettre
milieu mille minute moins moment monde montagne montrer morceau mouvement moyen musique naitre nature
neige niveau nombre nommer nouveau nuage nuit objet obliger obtenir occuper oeuvre offrir oiseau ombre
oublier ouvert ouvrir paix papier paraitre parce pareil parler parole partie partir passer patron payer
peine pendant penser perdre permettre personne petit peuple peut-etre pierre place plaisir plein pleurer
pluie plusieurs poisson porter poser position possible poste pouvoir premier prendre presence presque
presser preter prier printemps prix produire profond projet promettre propos propre quatre quelque
question quitter raison rappeler recevoir reconnaitre regarder remplir rencontrer rendre rentrer
reponse repondre repos reste retour retrouver reussir reve revenir riche rien rivage robe roche rouge
route ruisseau saison samedi savoir second secret semaine sembler sentir servir seulement simple situation
soeur soir soldat soleil sombre sommeil sorte sortir soudain souffrir souvenir souvent suite suivre sujet
surtout surveiller table tandis tard temps tendre tenir terre tirer toit tomber toujours toucher
tourner tout travail travers triste troisieme tromper trouver tuer usage valeur vendre vendredi venir
verite verre village ville visage vivre voici voisin voiture volonte vouloir voyage vraiment
`;

const WORDS: ReadonlySet<string> = new Set(COMMON.trim().split(/\s+/));

/** Returns whether a folded word is a common word. */
export function isCommonWord(word: string): boolean {
  return WORDS.has(word);
}
