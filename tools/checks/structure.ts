import { exportsOf, isCode, type Finding, type SourceFile } from './source-file.ts';

// A room is a folder (or a family of folders) with a closed vocabulary of file names.
type Room = { folder: RegExp; file: RegExp; rule: string };

const features =
  'accounts|cases|contacts|access|tasks|calendar|conflicts|deadlines|mails|messages|intakes|files|storage|ai|dashboard|audit|firm|imports|notices|packs|stream|templates|tray|views';
// Large features have a folder for each topic, with the same roles inside.
const topics: Record<string, string> = {
  accounts: 'registration|sessions|passwords|second-factors',
  ai: 'training|retrieval|answers',
  audit: 'seals',
  calendar: 'feeds|exchange|invitations',
  deadlines: 'counting|chains|warnings',
  conflicts: 'names|matching|checks|alerts',
  intakes: 'acceptance|erasure|forms',
  messages: 'conversations|inbound|media|numbers|sending',
  mails: 'connect|read|compose|push|correspondents',
  notices: 'digest',
};
const serverRoles = 'routes|service|store|rules|jobs';
const kebab = '[a-z0-9]+(?:-[a-z0-9]+)*';
const pascal = '(?:[A-Z][A-Za-z0-9]*)';
const workspaceFiles = 'package\\.json|tsconfig\\.json';

const rooms: Room[] = [
  room(
    'contract',
    [code(kebab), workspaceFiles],
    'contract/ is flat: one kebab-case .ts file per entity',
  ),
  room(
    'server',
    [
      code(
        'main|app(?:\\.(?:hooks|jobs|routes))?|context|config(?:\\.variables)?|log|data-directory',
      ),
      workspaceFiles,
    ],
    'the server’s own folder holds main.ts app.ts app.hooks.ts app.jobs.ts app.routes.ts context.ts config.ts config.variables.ts log.ts data-directory.ts; what everything builds on belongs in core/, what concerns requests in http/, SQL plumbing in db/, the rest in features/<feature>/',
  ),
  room(
    'server/(?:core|http|jobs|realtime|processes|testing|operations)',
    [code(kebab)],
    'server folders hold kebab-case .ts files',
  ),
  room(
    'server/testing/attack',
    [code(kebab)],
    'server/testing/attack holds what attacks a running server, a kebab-case .ts file for each kind of attacker',
  ),
  room(
    'server/testing/documents',
    [`${kebab}\\.[a-z]+`],
    'server/testing/documents holds small files made by other programs, and how they were made',
  ),
  room(
    'server/db(?:/(?:embedded|migrations))?',
    [code(kebab)],
    'server/db holds kebab-case .ts files, embedded/ and migrations/',
  ),
  room(
    'server/integrations/exports/profiles',
    [`${kebab}\\.json`],
    'server/integrations/exports/profiles holds data, a .json file for each system that firms move from',
  ),
  room(
    'server/integrations/bags',
    [code(kebab), 'verify\\.(?:mjs|html)'],
    'server/integrations/bags also holds what goes into each bag to verify it without the product',
  ),
  room(
    `server/integrations(?:/${kebab})?`,
    [code(kebab)],
    'server/integrations holds kebab-case .ts files, in one folder per third party',
  ),
  room(
    `server/features/(?:${features})`,
    [code(`(?:${serverRoles})(?:\\.${kebab})?`)],
    'a server feature holds routes.ts service.ts store.ts rules.ts jobs.ts (or <role>.<topic>.ts): say which role this code plays',
  ),
  ...Object.entries(topics).map(([feature, names]) =>
    room(
      `server/features/${feature}/(?:${names})`,
      [code(`(?:${serverRoles})(?:\\.${kebab})?`), 'vocabulary\\.txt'],
      'a topic of a server feature holds routes.ts service.ts store.ts rules.ts jobs.ts (or <role>.<topic>.ts): say which role this code plays',
    ),
  ),
  room(
    'client',
    [
      code('main', 'tsx'),
      code('api'),
      'index\\.html|styles\\.css|vite\\.(?:config|notices)\\.ts',
      workspaceFiles,
    ],
    'the client’s own folder holds main.tsx and api.ts; the router and the store’s assembly belong in shell/, what features share in core/ or ui/, the rest in features/<feature>/',
  ),
  room(
    'client/(?:core|shell|realtime|testing|ui)',
    [code(pascal, 'tsx'), code(kebab, 'tsx?'), `${kebab}\\.(?:css|svg)`],
    'client folders hold PascalCase.tsx components and kebab-case.ts files',
  ),
  room(
    `client/features/(?:${features})`,
    [code(`${pascal}Page`, 'tsx'), code(`(?:api|slice|rules)(?:\\.${kebab})?`)],
    'a client feature holds <Name>Page.tsx api.ts slice.ts rules.ts (or <role>.<topic>.ts) and components/<Name>.tsx',
  ),
  room(
    `client/features/(?:${features})/components`,
    [code(pascal, 'tsx')],
    'components/ holds <Name>.tsx',
  ),
  room(
    `client/features/(?:${features})/hooks`,
    [code(`use-${kebab}`)],
    'hooks/ holds what several components of a feature use, use-<what>.ts',
  ),
  room(
    'tools',
    [workspaceFiles],
    'tools code belongs in launch/ e2e/ bench/ eval/ seed/ sandbox/ cluster/ or checks/',
  ),
  room(
    'tools/launch',
    [`${kebab}\\.mjs`, `${kebab}\\.test\\.ts`],
    'tools/launch runs before anything is installed: plain .mjs files',
  ),
  room(
    'tools/e2e',
    [`${kebab}(?:\\.long)?\\.spec\\.ts`, 'playwright\\.config\\.ts'],
    'tools/e2e holds <flow>.spec.ts; what specs share belongs in tools/e2e/support/',
  ),
  room(
    'tools/(?:e2e/support|bench|sandbox|seed|eval|cluster)',
    [code(kebab), `${kebab}\\.json`],
    'tools hold kebab-case .ts files',
  ),
  room(
    'tools/eval/sample/(?:corpus|benchmarks)(?:/[a-z]+)?',
    [`${kebab}\\.(?:txt|json)`],
    'tools/eval/sample holds what the LegalBench-RAG layout holds: corpus/…txt and benchmarks/*.json',
  ),
  room(
    'tools/checks',
    [code(kebab), `${kebab}\\.config\\.ts`, `${kebab}\\.json`],
    'tools/checks holds kebab-case .ts files and the tools’ configurations',
  ),
];

const roots = 'contract/ server/ client/ tools/ docs/';
const homes: Record<string, string> = {
  contract: 'contract/ is flat and has no folders',
  server: `server code belongs in core/ http/ db/ jobs/ realtime/ integrations/ testing/ operations/ or features/<${features}>/, large features in topics: ${topicFolders()}`,
  client: `client code belongs in core/ shell/ realtime/ ui/ testing/ or features/<${features}>/ with its components/`,
  tools: 'tools code belongs in launch/ e2e/ bench/ eval/ seed/ sandbox/ cluster/ or checks/',
};

function topicFolders(): string {
  return Object.entries(topics)
    .map(([feature, names]) => `${feature}/<${names}>/`)
    .join(' ');
}

/** Holds every file to the closed vocabulary of folders and names; says where a stray one belongs. */
export function checkStructure(files: SourceFile[]): Finding[] {
  const paths = new Set(files.map((file) => file.path));
  return files.flatMap((file) =>
    [misplaced(file), drawer(file), barrel(file), straySpec(file, paths), misnamed(file)].flatMap(
      (message) => (message === undefined ? [] : [{ path: file.path, message }]),
    ),
  );
}

function misplaced({ path }: SourceFile): string | undefined {
  const { folder, name } = split(path);
  const home = rooms.find((candidate) => candidate.folder.test(folder));
  if (home === undefined) {
    const root = folder.split('/')[0] ?? '';
    return `the house has no folder ${folder}/: ${homes[root] ?? `it has ${roots}`}`;
  }
  return home.file.test(name) ? undefined : `${name} is not a name of ${folder}/: ${home.rule}`;
}

function drawer({ path }: SourceFile): string | undefined {
  const drawers = path
    .split('/')
    .filter((part) => /^(.+-)?(utils?|helpers?|types|common|misc)(\.|$)/.test(part));
  return drawers.length === 0
    ? undefined
    : `${drawers.join('/')} is a drawer for anything: name the file after what it does, or move the code beside its one user`;
}

function barrel(file: SourceFile): string | undefined {
  if (/\/index\.[a-z]+$/.test(file.path) && isCode(file.path)) {
    return 'index files are barrels: import from the file that holds the code';
  }
  return isCode(file.path) && exportsOf(file).passesOnAll
    ? 'passing on a whole module hides where code lives: import from the file that holds it'
    : undefined;
}

function straySpec({ path }: SourceFile, paths: Set<string>): string | undefined {
  const [, subject, topic = ''] = /^(.+\/[^/.]+)(\.[^/.]+)?\.test\.tsx?$/.exec(path) ?? [];
  if (subject === undefined) return undefined;
  return ['.ts', '.tsx', '.mjs', `${topic}.ts`].some((ending) => paths.has(subject + ending))
    ? undefined
    : `a test stands beside what it tests, and there is no ${subject}.ts: call it <file>.test.ts or <file>.<topic>.test.ts`;
}

function misnamed(file: SourceFile): string | undefined {
  const component = /\/([A-Z][A-Za-z0-9]*)\.tsx$/.exec(file.path)?.[1];
  return component === undefined || exportsOf(file).names.includes(component)
    ? undefined
    : `a PascalCase file is the component it exports: export ${component}, or give the file a kebab-case name`;
}

function split(path: string): { folder: string; name: string } {
  const cut = path.lastIndexOf('/');
  return { folder: path.slice(0, cut), name: path.slice(cut + 1) };
}

function room(folder: string, names: string[], rule: string): Room {
  return {
    folder: new RegExp(`^${folder}$`),
    file: new RegExp(`^(?:${names.join('|')})$`),
    rule,
  };
}

/** A code file of one of these names, with its tests (`x.test.ts`, `x.topic.test.ts`). */
function code(names: string, ending = 'ts'): string {
  return `(?:${names})(?:(?:\\.${kebab})?\\.test)?\\.${ending}`;
}
