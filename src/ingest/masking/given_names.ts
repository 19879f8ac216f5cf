/**
 * Given names that are common in Canada and the United States, in many languages. They decide only
 * doubtful cases. After a clear label, such as "Contact:", every name is masked, listed or not.
 */
const NAMES =
  "aaron abdul abdullah abigail abraham achille ada adam adèle adrian adriana adrien agnès " +
  "ahmad ahmed aïcha aidan aïda aisha ajay akash alain alan albert alejandra alejandro " +
  "alessandro alex alexander alexandra alexandre alexandria alexia alexis alfred ali alice " +
  "alicia alina aline alisha alison alistair allan allen allison alma alphonse alvaro alyssa " +
  "amanda amandeep amar amber amélie amina amir amit amrit amy ana anaïs anand andré andrea " +
  "andreas andrée andrew andy ángel angela angèle angelica angelina angélique angelo angus " +
  "anika anil anita anjali ann anna annabelle anne annette annie anouk anthony antoine " +
  "antoinette anton antonio anya april archana ariane arianna arjun arlene armand arnaud arnold " +
  "arthur arturo arun arvind asha ashley ashok audrey aurélie aurore austin ava ayesha aziz " +
  "balwinder barbara barry beatrice béatrice beatriz becky ben benjamin benoît bernadette " +
  "bernard bernice bert bertrand beth bethany betty beverly bhavna bianca bill billy blake " +
  "blanche bob bobby bonnie boris brad bradley brandon brenda brendan brent bret brett brian " +
  "brianna bridget brigitte britney brittany brooke bruce bruno bryan bryce caitlin caleb " +
  "calvin cameron camila camille candace carl carla carlo carlos carly carmen carol carole " +
  "carolina caroline carolyn carrie carter casey cassandra catalina catherine cathy cecilia " +
  "cécile cédric celeste céline césar chad chandra chantal charlene charles charlie charlotte " +
  "chelsea cheng cheryl chloé chris christian christiane christina christine christopher chun " +
  "cindy claire clara clarence claude claudette claudia claudine clément cliff clifford clint " +
  "clive colette colin colleen connie connor conrad constance cora corey corinne courtney craig " +
  "cristina crystal curtis cynthia cyril daisy dale dalia damien damon dan dana daniel daniela " +
  "danielle danny daphné darlene darrell darren dave david dawn dean deanna debbie deborah " +
  "debra deepa deepak deirdre delphine denis denise dennis derek desmond devon dexter diana " +
  "diane dianne didier diego dieter dimitri dina dinesh dirk dmitri dolores dominic dominique " +
  "don donald donna dora doreen doris dorothy doug douglas drew duane duncan dustin dwayne " +
  "dwight dylan earl ed eddie edgar edith edmond edna eduardo edward edwin eileen elaine " +
  "eleanor elena éliane elijah elisa elisabeth elise élise elizabeth ella ellen elliot éloïse " +
  "elsa emanuel emily emilie émilie emma emmanuel emmanuelle enrique eric éric erica erik erika " +
  "erin ernest ernesto esteban estelle esther ethan étienne eugene eugène eunice eva evan " +
  "evelyn evelyne fabien fabienne fabio farah farid fatima fatou felicia felipe félix fernand " +
  "fernando fiona florence flora fran frances francesca francesco francine francis francisco " +
  "françois françoise frank franz fred frédéric frederick frédérique gabriel gabriela gabrielle " +
  "gaétan gail gareth gary gaston gautam gavin geneviève geoff geoffrey george georges " +
  "georgette georgia georgina gérald gerald geraldine gérard gerard germain ghislain ghislaine " +
  "gilbert gilles gillian gina ginette giovanni giselle giuseppe gladys glen glenda glenn " +
  "gloria gordon grace graham grant greg grégoire gregory greta guadalupe guillaume guillermo " +
  "gurpreet gus gustavo guy gwen gwendolyn habib hannah hans hao harjit harjinder harold " +
  "harpreet harry harvey hassan heather hector héctor heidi helen helena hélène helga henri " +
  "henriette henry herbert hiroshi holly hong howard hubert hugh hugo hui hussein ian ibrahim " +
  "ignacio igor imran ines inès ingrid ioana irene irène iris irma irving isaac isabel isabella " +
  "isabelle ismail ivan ivana jack jackie jacob jacqueline jacques jade jaime jake jamal james " +
  "jamie jan jana jane janelle janet janice jared jasmin jasmine jason jaspreet javier jay jaya " +
  "jayne jean jeanette jeanne jeannette jeannine jeff jeffrey jen jenna jennifer jenny jérémie " +
  "jeremy jérôme jerome jerry jesse jessica jésus jill jillian jim jimmy jing jo joan joann " +
  "joanna joanne jocelyn jocelyne jody joe joel joël joëlle joey johann johanna johanne john " +
  "johnny jon jonah jonathan jordan jorge josé jose josée josef joseph josephine joséphine " +
  "josette josh joshua josiane joy joyce juan juanita judith judy jules julia julian juliana " +
  "julie julien juliette julio jun june justin justine kamal kanwal karan karen karim karin " +
  "karina karine karl karla kate katherine kathleen kathryn kathy katia katie katrina kavita " +
  "kay keith kelly kelsey ken kendra kenneth kenny kent kerry kevin khadija khalid kim kimberly " +
  "kiran kirk kirsten koji kris krishna krista kristen kristin kristina kristine kumar kurt " +
  "kyle lakshmi lan lana lance lara larry latoya laura laure laurence laurent laurie laurier " +
  "lauren lawrence léa leah lee leila leïla lena léo leo leon léon leona leonard leonardo " +
  "léonie leroy lesley leslie leticia lewis li liam liliana liliane lily lin lina linda lindsay " +
  "ling lionel lisa lise lloyd logan lois lola loretta lori lorraine lou louis louisa louise " +
  "louis-philippe luc luca lucas lucia lucie lucien lucille lucy luis luisa luke lydia lyne " +
  "lynda lynn lynne mabel madeleine madison maggie mahmoud malcolm malik mandeep manfred manjit " +
  "manon manpreet manuel mara marc marcel marcelle marcia marco marcos marcus margaret " +
  "margarita margot marguerite maria marian marianne marie mariam marilyn marina mario marion " +
  "marisa marissa marjorie mark marlène marsha martha martin martine marvin mary maryam maryse " +
  "masako mateo mathew mathieu mathilde matt matthew matthias maude maureen maurice max maxime " +
  "maxwell may mehdi mei mélanie melanie melinda mélissa melissa mercedes meredith mia micah " +
  "michael michaël michel michele michèle micheline michelle miguel mike mikhail mildred milena " +
  "min minh miranda mireille miriam mitchell mohamed mohammad mohammed mohan moira mona monica " +
  "monika monique monte morgan muhammad muriel murray myriam nabil nadia nadine nancy naomi " +
  "narinder nasrin natalia natalie natasha nathalie nathan nathaniel navdeep neha neil nelson " +
  "nicholas nick nicolas nicole nicolás nigel nikhil nikita nikki nina nisha noah noël noémie " +
  "nora norah norbert noreen norma norman octavio odette odile olga oliver olivia olivier omar " +
  "oscar osman owen pablo paige pam pamela paola paolo parminder pascal pascale pat patrice " +
  "patricia patricio patrick patti paul paula paulette paulina pauline paulo pedro peggy " +
  "penelope penny perry pete peter phil philip philippe phillip phyllis pierre pierre-luc " +
  "pierrette pilar ping pradeep pramod prakash prashant preeti priya priyanka qing quentin " +
  "rachel rafael raj raja rajesh rajinder rajiv ralph ram ramesh ramón ramona randall randy " +
  "raoul raphaël raquel rashid raúl raul ravi ray raymond raymonde rebecca régis réjean rekha " +
  "rémi renata renaud rené renée reza rhonda ricardo richard rick ricky rita rob robert roberta " +
  "roberto robin robyn rochelle rod rodney rodolfo rodrigo roger rohan rohit roland roman " +
  "romain ron ronald ronnie rosa rosalie rosanne rose roseline rosemary ross roxanne roy ruben " +
  "ruby rupinder russell ruth ryan sabine sabrina sadia said sally salma sam samantha samir " +
  "samira samuel sandeep sandra sandrine sandy sanjay sanjeev santiago sara sarah sasha satish " +
  "saul scott sean sébastien selena sergio serge seth shane shannon shanti sharon shaun shauna " +
  "shawn sheena sheila shelley sherry shirley shreya sidney sierra silvia simon simone simran " +
  "sofia sonia sonja sonya sophia sophie spencer srinivas stacey stacy stan stanley stefan " +
  "stefanie stella stéphane stéphanie stephanie stephen steve steven stewart stuart sue suhas " +
  "sukhdeep sukhjinder sukhwinder sunil sunita suresh surinder susan susana susanne suzanne " +
  "suzie svetlana sven sylvain sylvia sylvie tamara tammy tania tanya tara tariq tatiana taylor " +
  "ted teresa teri terence terrance terry tessa thanh theodore theresa thérèse thi thierry " +
  "thomas tiffany tim timothy tina tobias todd tom tomás tommy toni tony tonya tracey tracy " +
  "travis trevor tricia trina tristan troy tuan tyler tyrone umar ursula usha valentina valérie " +
  "valerie vanessa vera vernon veronica véronique vicki vicky victor victoria vijay vikram " +
  "vimal vincent viola violet virginia virginie vito vivian viviane vivek vladimir wade walid " +
  "wallace walter wanda warren wayne wei wendy werner wesley whitney wilfred wilhelm will " +
  "william willie winnie winston xavier xi xiang xiao xin xue yan yang yann yannick yasmin " +
  "yasmine yi ying yolanda yolande youssef yu yuan yuki yun yusuf yves yvette yvon yvonne " +
  "aaliyah antwan darnell demetrius deshawn ebony imani jermaine keisha lamar latasha marquis reginald " +
  "tanisha terrell shanice tamika kareem lakeisha jerome kenya lashonda olena oleksandr tobias tammy-lynn " +
  "réjean zachary zahra zainab zeynep zhang zhen zhi zoe zoé";

/** Given names without accents. */
const GIVEN_NAMES = new Set(NAMES.split(" ").map(withoutAccents));

/** Returns whether a word, or the first part of a hyphenated one, is a common given name. */
export function isGivenName(word: string): boolean {
  const plain = withoutAccents(word.toLowerCase());
  return GIVEN_NAMES.has(plain) || GIVEN_NAMES.has(plain.split("-")[0]!);
}

function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "");
}
