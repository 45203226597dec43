import { posix } from 'node:path';
import { importsOf, isCode, isTest, type Finding, type SourceFile } from './source-file.ts';

// One import seen from the walls: `path` imports `target` (a path in the tree, or a package's name).
type Passage = {
  path: string;
  target: string;
  isRelative: boolean;
  isTypeOnly: boolean;
  isTest: boolean;
};

type Wall = (passage: Passage) => string | undefined;

const walls: Wall[] = [
  contractStandsAlone,
  workspacesStayApart,
  rootsAreNotLeft,
  sqlStaysInStores,
  serverLayersPointDown,
  rolesPointOneWay,
  featuresMeetInServices,
  clientFeaturesMeetInPages,
  clientLayersPointDown,
];

/** Holds every import to the walls between roots, roles and features; says where the code belongs. */
export function checkWalls(files: SourceFile[]): Finding[] {
  const code = files.filter((file) => isCode(file.path));
  return [
    ...code.flatMap((file) => [
      ...queries(file),
      ...comparedMessages(file),
      ...peerConnections(file),
      ...bareNormalizations(file),
      ...baseTables(file),
      ...rawAddresses(file),
      ...leftOutDependencies(file),
      ...passages(file),
    ]),
    ...pairs(code),
  ];
}

/** Server features that import each other: one of the two must not know the other. */
function pairs(files: SourceFile[]): Finding[] {
  const arrows = files
    .filter(({ path }) => rootOf(path) === 'server' && !isTest(path))
    .flatMap(({ path, text }) =>
      importsOf({ path, text }).map(({ from }) => ({ path, to: featureOf(resolve(path, from)) })),
    );
  const has = (from: string | undefined, to: string | undefined) =>
    arrows.some((arrow) => featureOf(arrow.path) === from && arrow.to === to);
  return arrows.flatMap(({ path, to }) => {
    const own = featureOf(path);
    if (own === undefined || to === undefined || own === to || !has(to, own)) return [];
    const message = `${own} and ${to} import each other: the lower one offers a hook or a slot, which server/app.hooks.ts connects`;
    return [{ path, message }];
  });
}

function passages(file: SourceFile): Finding[] {
  return importsOf(file)
    .map(({ from, isTypeOnly }) => ({
      path: file.path,
      target: resolve(file.path, from),
      isRelative: from.startsWith('.'),
      isTypeOnly,
      isTest: isTest(file.path),
    }))
    .flatMap((passage) => walls.map((wall) => wall(passage)))
    .flatMap((message) => (message === undefined ? [] : [{ path: file.path, message }]));
}

function contractStandsAlone({ path, target, isTest: test }: Passage): string | undefined {
  if (rootOf(path) !== 'contract' || rootOf(target) === 'contract') return undefined;
  if (/^zod(\/|$)/.test(target) || (test && /^(vitest|fast-check)$/.test(target))) return undefined;
  return `contract imports only zod and itself, not ${target}: what needs it belongs in server/ or client/`;
}

function workspacesStayApart({ path, target }: Passage): string | undefined {
  const [from, to] = [rootOf(path), rootOf(target)];
  if (from === 'client' && to === 'server') {
    return `the client never imports the server (${target}): what both need belongs in contract/`;
  }
  if (from === 'server' && to === 'client') {
    return `the server never imports the client (${target}): what both need belongs in contract/`;
  }
  return (from === 'client' || from === 'server') && to === 'tools'
    ? `the product never imports its tools (${target}): what tests need belongs in server/testing/`
    : undefined;
}

function rootsAreNotLeft({ path, target, isRelative }: Passage): string | undefined {
  return isRelative && rootOf(path) !== target.split('/')[0]
    ? `../ leaves ${rootOf(path)}/ for ${target}: only @matterdesk/contract/<file>.ts crosses roots`
    : undefined;
}

function sqlStaysInStores({ path, target }: Passage): string | undefined {
  return /^(kysely|pg)(\/|$)/.test(target) &&
    ['server', 'client'].includes(rootOf(path)) &&
    !mayTouchSql(path)
    ? `only store.ts files and server/db/ touch SQL (${target}): ${whereSqlBelongs(path)}`
    : undefined;
}

// A query builder can be handed around without an import, so the verbs count as well.
function queries({ path, text }: SourceFile): Finding[] {
  if (rootOf(path) !== 'server' || mayTouchSql(path)) return [];
  const query = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/.exec(text)?.[1];
  return query === undefined
    ? []
    : [
        {
          path,
          message: `only store.ts files and server/db/ write queries (${query}): ${whereSqlBelongs(path)}`,
        },
      ];
}

// Messages are for people and may be reworded; what a program decides by is the code.
function comparedMessages({ path, text }: SourceFile): Finding[] {
  if (rootOf(path) !== 'client' || isTest(path)) return [];
  const comparison =
    /\.message\s*[=!]={1,2}(?!=|\s*(?:undefined|null)\b)|[=!]==?\s*[\w.]+\.message\b|\.message\??\.(includes|startsWith|endsWith|match)\b/;
  return comparison.test(text)
    ? [{ path, message: 'the client does not compare messages: go by the code of the CallError' }]
    : [];
}

// Nothing of the verification standard's chapter on WebRTC is met, since none of it is used.
function peerConnections({ path, text }: SourceFile): Finding[] {
  return rootOf(path) === 'client' && /\bRTC(PeerConnection|DataChannel)\b/.test(text)
    ? [{ path, message: 'no page opens a peer connection: docs/security.md has no answer to V17' }]
    : [];
}

// The order of a long run of marks takes quadratic time.
function bareNormalizations({ path, text }: SourceFile): Finding[] {
  const isProduct = /^(contract|server|client)\//.test(path) && !isTest(path);
  if (!isProduct || path === 'contract/normalization.ts' || !/\.normalize\(/.test(text)) return [];
  const message =
    'a text of a stranger can make .normalize() take minutes: call normalized() of contract/normalization.ts';
  return [{ path, message }];
}

// Views decide which matters a user sees; what reads past them belongs beside them.
function baseTables({ path, text }: SourceFile): Finding[] {
  if (rootOf(path) !== 'server' || /^server\/(db|operations)\//.test(path) || isTest(path))
    return [];
  const past = /\bbase\.(?:cases|case_\w+|access_history|tasks|folders|files|work_out_sight)\b/;
  return past.test(text)
    ? [{ path, message: 'only server/db names tables of the schema base: read the view instead' }]
    : [];
}

// An IPv6 client has as many addresses as it likes, so that only its network can be counted.
function rawAddresses({ path, text }: SourceFile): Finding[] {
  const isFree = /^server\/(testing\/|http\/(client|connections)\.ts$)/;
  if (rootOf(path) !== 'server' || isFree.test(path) || isTest(path)) return [];
  const raw =
    /\brequest\.ips?\b|\bips?\b[^)\n]*:\s*FastifyRequest\b|\bremoteAddress\b|x-forwarded-for/i;
  const message =
    'only server/http/client.ts reads where a request comes from: use clientOf, and its network for every limit';
  return raw.test(text) ? [{ path, message }] : [];
}

// An effect that leaves out what it depends on runs too early or not at all.
function leftOutDependencies({ path, text }: SourceFile): Finding[] {
  if (rootOf(path) !== 'client' || !/oxlint-disable.*exhaustive/.test(text)) return [];
  const message =
    'effects name all that they depend on: show server data with client/core/use-resource.ts, or remember in a ref what was done';
  return [{ path, message }];
}

// Tests may look at the rows that the application under test has written.
function mayTouchSql(path: string): boolean {
  if (isTest(path)) return true;
  return /^server\/(db|operations|testing|features\/[^/]+\/([^/]+\/)?store(\.[^/]+)?\.ts$)/.test(
    path,
  );
}

function whereSqlBelongs(path: string): string {
  const topic = topicOf(path);
  const folder = topic === undefined ? '' : `${topic}/`;
  return `it belongs in server/features/${featureOf(path) ?? '<feature>'}/${folder}store.ts`;
}

// core ← db, http: what stands left imports nothing of the server that stands right of it, and peers do not
// import each other. Tests may, since they run the whole application.
function serverLayersPointDown({ path, target, isTest: test }: Passage): string | undefined {
  if (test || rootOf(path) !== 'server' || rootOf(target) !== 'server') return undefined;
  const [from, to] = [layerOf(path), layerOf(target)];
  if (from === 'core' && to !== 'core')
    return `core lies below the rest of the server and imports core only (${target}): pass it in, or move the code up`;
  return (from === 'db' && to === 'http') || (from === 'http' && to === 'db')
    ? `db and http do not import each other (${target}): what both need belongs in server/core/, else pass it in`
    : undefined;
}

function layerOf(path: string): string | undefined {
  return path.split('/')[1];
}

// rules ← store ← service ← routes and jobs: each role may import only what stands left of it.
const mayImport: Record<string, string[]> = {
  rules: [],
  store: ['rules'],
  service: ['rules', 'store'],
  jobs: ['rules', 'store', 'service'],
  routes: ['service'],
};

function rolesPointOneWay({ path, target, isTest: test }: Passage): string | undefined {
  const [from, to] = [roleOf(path), roleOf(target)];
  if (test || from === undefined) return undefined;
  if (from === 'routes' && rootOf(target) === 'server' && !isOwn(path, target)) {
    return /^server\/(http\/|core\/|context\.ts$)/.test(target)
      ? undefined
      : `routes call their own service, http/ and core/ only (${target}): it belongs in service.ts`;
  }
  if (to === undefined || to === from || !isOwn(path, target)) return undefined;
  return mayImport[from]?.includes(to)
    ? undefined
    : `${from} may not import ${to} (rules ← store ← service ← routes, jobs): move the code to the role left of both`;
}

function featuresMeetInServices({ path, target }: Passage): string | undefined {
  if (featureOf(path) === undefined || featureOf(target) === undefined) return undefined;
  if (rootOf(path) !== 'server' || isOwn(path, target)) return undefined;
  return ['service', 'jobs'].includes(roleOf(path) ?? '') && roleOf(target) === 'service'
    ? undefined
    : `a feature speaks to another through services only (${target}): call server/features/${featureOf(target)}/service.ts from your own service.ts`;
}

function clientFeaturesMeetInPages({ path, target, isTest: test }: Passage): string | undefined {
  if (rootOf(path) !== 'client' || isOwn(path, target)) return undefined;
  if (featureOf(path) === undefined || featureOf(target) === undefined) return undefined;
  return test || path.endsWith('Page.tsx')
    ? undefined
    : `client features meet only in pages (${target}): let the page read it and pass it down`;
}

// ui ← core ← features ← realtime ← shell: each layer may import only what stands left of it; tests show
// components by client/testing.
const clientLayers: Record<string, { below: RegExp; advice: string }> = {
  ui: {
    below: /^client\/ui\//,
    advice: 'ui knows nothing of the application: take it as a prop, or move the component',
  },
  core: {
    below: /^client\/(core|ui)\/|^client\/api\.ts$/,
    advice: 'core knows no feature and no shell: move what belongs to one feature into it',
  },
  features: {
    below: /^client\/(features|core|ui)\/|^client\/api\.ts$/,
    advice: 'features know no shell and no socket: move what they share into core/',
  },
  realtime: {
    below: /^client\/(realtime|features|core|ui)\/|^client\/api\.ts$/,
    advice: 'realtime knows no shell: let the shell pass it in',
  },
};

function clientLayersPointDown({ path, target, isTest: test }: Passage): string | undefined {
  if (test && target.startsWith('client/testing/')) return undefined;
  const layer = clientLayers[/^client\/([^/]+)\//.exec(path)?.[1] ?? ''];
  if (layer === undefined || rootOf(target) !== 'client' || layer.below.test(target))
    return undefined;
  return `${layer.advice} (${target})`;
}

/** The imported file's path in the tree, or the package's name. */
function resolve(path: string, from: string): string {
  if (from.startsWith('.')) return posix.join(posix.dirname(path), from);
  return from.replace(/^@matterdesk\//, '');
}

function rootOf(path: string): string {
  const root = path.split('/')[0] ?? '';
  return ['contract', 'server', 'client', 'tools'].includes(root) ? root : '';
}

function featureOf(path: string): string | undefined {
  return /^(?:server|client)\/features\/([^/]+)\//.exec(path)?.[1];
}

function roleOf(path: string): string | undefined {
  return /^server\/features\/[^/]+\/(?:[^/]+\/)?(routes|service|store|rules|jobs)(?:\.[^/]+)?$/.exec(
    path,
  )?.[1];
}

/** The folder of a large feature. */
function topicOf(path: string): string | undefined {
  return /^server\/features\/[^/]+\/([^/]+)\//.exec(path)?.[1];
}

function isOwn(path: string, target: string): boolean {
  return rootOf(path) === rootOf(target) && featureOf(path) === featureOf(target);
}
