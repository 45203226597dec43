/** Questions that speak of this … are answered in these words. Stems are left to the search. */
type Rule = readonly [RegExp, string];

const contracts: Rule[] = [
  [
    /govern|which law|what law|choice of law|applicable law/,
    'governed construed interpreted accordance laws conflict',
  ],
  [/venue|forum|which courts?|jurisdiction/, 'courts jurisdiction venue exclusive located submit'],
  [/disput|arbitrat|mediat/, 'arbitration arbitrator mediation dispute controversy AAA JAMS'],
  [
    /expir|how long|duration|\bterm of\b|initial term|end date/,
    'term expire expiration until anniversary years commence continue',
  ],
  [
    /renew|extend|extension|evergreen/,
    'renew renewal automatically successive extend additional periods',
  ],
  [/notice period|non-?renewal/, 'notice prior days renewal terminate'],
  [/terminat|cancel|end (the|this)\b|get out of/, 'terminate termination cancel notice'],
  [
    /convenience|without (a )?(cause|reason)|at will|any reason/,
    'convenience without cause reason terminate days prior notice',
  ],
  [/default|breach/, 'breach default cure remedy material failure'],
  [
    /post-termination|after (the )?(termination|expiration)|wind.?down|transition/,
    'termination expiration following surviving transition wind cease return',
  ],
  [/surviv/, 'survive survival termination'],
  [/(non)?compet/, 'compete competing competitive competitor directly indirectly engage business'],
  [/(non)?exclusiv/, 'exclusive exclusively sole solely'],
  [/(non)?solicit|poach|\bhir(e|ing)\b/, 'solicit induce entice hire employ employees customers'],
  [/disparag/, 'disparage disparaging derogatory reputation goodwill negative'],
  [
    /first refusal|first offer|rofr|rofo|rofn|first negotiation/,
    'refusal offer negotiation first right match bona fide',
  ],
  [
    /change (of|in) control|merger|takeover/,
    'control merger consolidation acquisition sale substantially all assets ownership',
  ],
  [
    /assign|transfer (the|this|of)|transferab/,
    'assign assignment transfer consent delegate successors assigns void',
  ],
  [
    /revenue|profit shar|royalt|commission/,
    'royalty royalties percent percentage share net sales revenue commission',
  ],
  [/price|pricing|increase/, 'price prices increase decrease fee adjust discount exceed'],
  [/most favou?red|mfn/, 'favored favorable terms other customers lowest price less'],
  [/minimum|quota|commitment/, 'minimum purchase least quantity order annual shortfall'],
  [/volume|maximum quantity|limit on use/, 'volume maximum exceed excess quantity threshold limit'],
  [
    /(own|ownership|title|belongs?).*(intellectual|ip|invention|work|result|copyright|patent|develop)|intellectual property/,
    'assigns title interest ownership hire inventions patents copyrights property vest',
  ],
  [/joint(ly)?\b.*own|co-?own/, 'jointly joint own ownership'],
  [/\bowns?\b|owner|belongs?\b/, 'belong title interest assigns property owner ownership'],
  [/(sub)?licen[cs](e|ing)/, 'license grants licensed use right licensee licensor'],
  [/affiliat/, 'affiliate affiliates subsidiaries parent'],
  [/unlimited|enterprise/, 'unlimited enterprise number any'],
  [/perpetual|irrevocabl/, 'perpetual irrevocable perpetuity'],
  [/source code|escrow/, 'source code escrow deposit release agent'],
  [/audit|inspect|books/, 'audit inspect records books accounts examine accountant'],
  [
    /uncapped|unlimited liab|excluded from.*(cap|limit)/,
    'limitation liability apply gross negligence willful misconduct fraud indemnification',
  ],
  [
    /liab|\bcap\b|limitation of/,
    'liable liability exceed aggregate maximum limited damages amount paid',
  ],
  [
    /consequential|indirect|lost profits/,
    'consequential incidental indirect special punitive exemplary lost profits',
  ],
  [/liquidated|penalt|termination fee/, 'liquidated damages penalty fee pay sum'],
  [
    /warrant|guarantee/,
    'warrants warranty warranties defects conform period merchantability guarantee',
  ],
  [/insur/, 'insurance insured coverage policy policies occurrence certificate'],
  [/indemni|hold harmless|defend/, 'indemnify indemnification harmless defend losses claims'],
  [
    /covenant not to sue|not to (sue|challenge)|contest/,
    'contest challenge validity sue claim action against',
  ],
  [
    /third.?part(y|ies) benefi|beneficiar/,
    'beneficiary beneficiaries benefit person other third confer',
  ],
  [
    /exception|carve-?out|exclusion/,
    'except notwithstanding however provided exclude excluding shall not apply',
  ],
  [
    /force majeure|act of god|pandemic/,
    'force majeure control acts god strike war beyond reasonable',
  ],
  [
    /amend|modif|change (the|this) (contract|agreement)/,
    'amend amended modification modified writing signed waiver',
  ],
  [
    /entire agreement|oral agreement|prior agreement/,
    'entire supersedes prior understandings oral whole',
  ],
  [/notice|where to send|serve/, 'notices writing delivered address mail certified'],
  [
    /who (are|is) the part|parties|between wh/,
    'between among hereinafter referred party parties corporation company',
  ],
  [
    /effective date|when.*(effective|begin|start)|commence/,
    'effective dated entered commencement made day',
  ],
  [
    /sign(s|ed|ing|atures?|ator(y|ies))?\b|execut(e|ed|ing|ion)\b/,
    'signed executed witness name title by undersigned',
  ],
];

const moneyAndPlaces: Rule[] = [
  [
    /pay|fee|cost|how much|amount|compensat|price|invoice/,
    'pay payment payable amount dollars fee invoice due sum',
  ],
  [/late(ly|r)?\b|overdue|interest/, 'late overdue interest rate month annum unpaid charge'],
  [/\brent|sublet|sublease/, 'rent rental monthly lease tenant landlord premises sublease'],
  [/deposit/, 'deposit security refund return'],
  [/repair|mainten|maintain/, 'repair repairs maintain maintenance condition damage'],
  [/\btax/, 'tax taxes assessments withholding'],
  [/utilit|electric|water/, 'utilities electricity water gas heat'],
  [/pets?\b|animal|dogs?\b|cats?\b/, 'pet pets animal animals dog cat'],
  [
    /salary|wage|bonus|paid to the (employee|executive)/,
    'salary base compensation bonus annual paid',
  ],
  [/vacation|holiday|leave|time off/, 'vacation leave days holidays sick paid accrue'],
  [/severance|fired|dismiss/, 'severance termination cause salary continue'],
  [/deliver|shipment|shipping/, 'delivery deliver shipment FOB carrier freight'],
  [/\bfire\b|\bburn|flood|destroy(ed)? by|casualty/, 'casualty fire destroyed damaged restored'],
  [/accept/, 'acceptance accept reject inspection conform'],
];

const secrets: Rule[] = [
  [
    /confidential|secret|nda/,
    'confidential confidentiality proprietary disclose disclosure secret',
  ],
  [/return|destroy|destruct/, 'return destroy destruction copies retain certify'],
  [
    /compelled|subpoena|required by law|court order/,
    'required law subpoena court order process governmental prompt notice',
  ],
  [
    /independent(ly)? develop|similar information|already known/,
    'independently developed acquire similar known lawfully possession',
  ],
  [/revers|decompil/, 'reverse engineer decompile disassemble'],
  [/verbal|oral/, 'oral orally verbal verbally writing confirmed'],
  [
    /share.*(employee|affiliate|advisor|consultant|third)|representatives/,
    'employees agents representatives advisors consultants affiliates know persons',
  ],
  [/cop(y|ies|ying)\b/, 'copy copies reproduce duplicate'],
  [/purpose/, 'purpose solely use evaluate connection'],
  [/privacy|personal (data|info)/, 'personal information data collect privacy'],
  [
    /collect|gather|know about me|track/,
    'collect information gather automatically cookies log device tracking',
  ],
  [
    /(share|sell|sold|disclos|give).*(data|info|my)|who (can )?see/,
    'share disclose third parties sell partners providers advertisers affiliates',
  ],
  [/delet|remov|opt.?out|unsubscribe/, 'delete remove opt unsubscribe request account deactivate'],
  [
    /cookie|advertis|ads\b|marketing/,
    'cookies advertising advertisers beacons analytics promotional marketing',
  ],
  [
    /secur|hack|safe|encrypt|protect|leak/,
    'security secure encryption safeguards protect unauthorized access breach',
  ],
  [/how long.*(keep|store|retain)|retention/, 'retain retention store period long necessary'],
  [/location|gps|where i am/, 'location GPS geolocation IP address device'],
  [/child|minor|\bkids?\b/, 'children minors age parent guardian sixteen thirteen under'],
];

const disputesAndDeals: Rule[] = [
  [/injur|hurt|harm/, 'injury injuries injured sustained bodily pain harm'],
  [/accident|crash|collision|incident/, 'accident collision vehicle incident occurred struck'],
  [
    /treat|hospital|doctor|medical/,
    'medical treatment physician hospital diagnosis surgery provider',
  ],
  [
    /negligen|standard of care|malpractice/,
    'negligence negligent care breach duty standard failed',
  ],
  [/lost (wages|income|earnings)/, 'wages income earnings lost employment work'],
  [
    /statute of limitations|deadline to sue|time-?barred/,
    'limitations statute years accrue commenced barred',
  ],
  [/settle|release/, 'settlement release discharge forever claims compromise'],
  [/damages|sue for|demand/, 'damages demand compensatory punitive relief prays amount'],
  [/witness|testif|testimony|deposition/, 'witness testify testimony deposition sworn affidavit'],
  [/alleg|complaint|cause of action/, 'alleges complaint cause action plaintiff defendant count'],
  [
    /consideration|per share|cash or stock/,
    'consideration cash stock share converted right receive merger',
  ],
  [
    /fiduciary|superior|recommendation|intervening/,
    'superior proposal board fiduciary duties recommendation change intervening event',
  ],
  [
    /no.?shop|acquisition proposal/,
    'solicit acquisition proposal inquiries discussions negotiations',
  ],
  [
    /material adverse|\bmae\b|\bmac\b/,
    'material adverse effect event change circumstance disproportionate',
  ],
  [
    /ordinary course|operating covenant/,
    'ordinary course business consistent past practice conduct',
  ],
  [
    /specific performance|injunct|equitable/,
    'specific performance injunction injunctive irreparable equitable relief',
  ],
  [
    /closing condition|accuracy of (the )?rep|bring.?down/,
    'representations warranties true correct closing date conditions respects',
  ],
  [/knowledge/, 'knowledge actual inquiry officers'],
  [
    /efforts|antitrust|regulatory approval/,
    'reasonable best efforts antitrust HSR divest approvals',
  ],
  [/tail\b/, 'months following termination proposal consummated'],
];

/** Words that begin as a rule says: 'assigned' does not speak of signing, nor 'indicate' of a cat. */
const rules = [...contracts, ...moneyAndPlaces, ...secrets, ...disputesAndDeals].map(
  ([speaksOf, hints]) => [new RegExp(`\\b(?:${speaksOf.source})`), hints.split(' ')] as const,
);

/** Words in which documents answer what a question asks in others. */
export function hintsFor(question: string): string[] {
  const text = question.normalize('NFKC').toLowerCase();
  return rules.flatMap(([speaksOf, hints]) => (speaksOf.test(text) ? hints : []));
}
