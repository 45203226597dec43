/** A file, and the directories that it lay in, the outermost first. */
export type Found = { file: File; way: readonly string[] };

/** What somebody dropped or chose: a directory counts by all that lies below it. */
export type Dropped = {
  found: Found[];
  /** Files that belong to a computer rather than to a case. */
  leftOut: number;
  unreadable: number;
};

/** Files that a folder of the case is to get; `folder` is null while nobody has said which. */
export type Parcel = { folder: string | null; files: readonly File[] };

/** Files that are added at once. */
export const MOST_ADDED = 2000;
/** Directories below each other. */
export const DEEPEST = 20;
/** Files of one folder that are added without a question. */
const FEW = 25;
const LONGEST_FOLDER = 200;

export const nothingDropped = (): Dropped => ({ found: [], leftOut: 0, unreadable: 0 });

/** What a system or an office program leaves in a directory for itself. */
export function isOfSystem(name: string): boolean {
  return /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|~\$.*|__MACOSX)$/i.test(name);
}

/** The files of a chosen directory; browsers say their ways as 'Discovery/Photos/one.jpg'. */
export function chosen(files: readonly File[]): Dropped {
  const ours = files.filter(
    ({ name, webkitRelativePath }) => ![name, ...webkitRelativePath.split('/')].some(isOfSystem),
  );
  const found = ours.map((file) => ({
    file,
    way: file.webkitRelativePath.split('/').slice(0, -1),
  }));
  return { ...nothingDropped(), found, leftOut: files.length - ours.length };
}

/**
 * Puts files into folders, which are flat: those of Photos in Discovery go to 'Discovery - Photos'.
 * @param target the folder that they were dropped on
 * @param known folders that there are; names compare without case
 */
export function toParcels(
  found: readonly Found[],
  { target, known }: { target: string | null; known: readonly string[] },
): Parcel[] {
  const names = new Map(known.map((name) => [keyOf(name), name]));
  const parcels = new Map<string | null, File[]>();
  for (const { file, way } of found) {
    const wanted = [...(target === null ? [] : [target]), ...way.map(cleaned)].join(' - ');
    const name = wanted.slice(0, LONGEST_FOLDER).trim();
    const folder = name === '' ? null : (names.get(keyOf(name)) ?? name);
    if (folder !== null) names.set(keyOf(folder), folder);
    const files = parcels.get(folder);
    if (files) files.push(file);
    else parcels.set(folder, [file]);
  }
  // A system hands out a directory in no order.
  return [...parcels]
    .map(([folder, files]) => ({
      folder,
      files: files.toSorted((a, b) => byName.compare(a.name, b.name)),
    }))
    .toSorted((a, b) => byName.compare(a.folder ?? '', b.folder ?? ''));
}

/** Whether it is plain from the drop itself what will be where. */
export function isPlain(parcels: readonly Parcel[], target: string | null): boolean {
  const [first, ...more] = parcels;
  return (
    first !== undefined &&
    more.length === 0 &&
    first.folder === target &&
    target !== null &&
    first.files.length <= FEW
  );
}

const byName = new Intl.Collator(undefined, { numeric: true });

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Signs that a directory's name may have and a folder's may not. */
function cleaned(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ').trim() || 'Folder';
}
