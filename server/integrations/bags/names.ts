import { normalized } from '@matterdesk/contract/normalization.ts';

/** Limits of a segment, its extension and number included; file systems of Linux take 255 bytes. */
const MAX_CHARACTERS = 180;
const MAX_BYTES = 240;

/** Includes %, which manifests escape, so that plain checksum tools would not find the file (RFC 8493, 2.1.3). */
const FORBIDDEN = /[<>:"/\\|?*%\p{Cc}\p{Cs}\u2028\u2029]/gu;
/** Marks that change how a name is read without being seen. */
const UNSEEN = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;
const EXTENSION = /^\.[^\s.]{1,20}$/;
const DOT_OR_BLANK = /[.\s]/;

type Name = { stem: string; extension: string };

type Folder = {
  name: string;
  /** Names given in it, without regard to case. */
  taken: Set<string>;
  /** The number to try next for a name that is taken. */
  next: Map<string, number>;
  /** Keyed by the segment as it was asked for. */
  folders: Map<string, Folder>;
};

/** Gives names that can be unpacked on Windows, macOS and Linux, and remembers them: a set for each archive. */
export class Names {
  readonly #root = emptyFolder('');

  /**
   * Segments for a file, from its folders and its own name as they are. Each call is another file, even at the same
   * path; the same folder is always the same.
   */
  add(path: readonly string[]): string[] {
    let folder = this.#root;
    return path.map((segment, index) => {
      if (index === path.length - 1) return claim(folder, splitName(cleaned(segment)));
      folder = enter(folder, segment);
      return folder.name;
    });
  }
}

function emptyFolder(name: string): Folder {
  return { name, taken: new Set(), next: new Map(), folders: new Map() };
}

function enter(parent: Folder, segment: string): Folder {
  const known = parent.folders.get(segment);
  if (known !== undefined) return known;
  const made = emptyFolder(claim(parent, { stem: cleaned(segment), extension: '' }));
  parent.folders.set(segment, made);
  return made;
}

function claim(folder: Folder, name: Name): string {
  const wanted = joined(name, '');
  const key = folded(wanted);
  let given = wanted;
  for (let n = folder.next.get(key) ?? 2; folder.taken.has(folded(given)); n += 1) {
    given = joined(name, ` (${n})`);
    folder.next.set(key, n + 1);
  }
  folder.taken.add(folded(given));
  return given;
}

function cleaned(segment: string): string {
  const plain = segment.replaceAll(UNSEEN, '').replaceAll(FORBIDDEN, '_');
  return withoutTail(normalized(plain)).trimStart();
}

function splitName(name: string): Name {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  return EXTENSION.test(extension)
    ? { stem: name.slice(0, dot), extension }
    : { stem: name, extension: '' };
}

function joined({ stem, extension }: Name, number: string): string {
  const ending = number + extension;
  const kept = shortened(withoutDevice(stem), ending) || 'untitled';
  // Cutting may leave the name of a device.
  return withoutDevice(kept) + ending;
}

function withoutDevice(stem: string): string {
  return stem.replace(DEVICE, '$&_');
}

/** The characters that fit before the ending. */
function shortened(stem: string, ending: string): string {
  let characters = MAX_CHARACTERS - [...ending].length;
  let bytes = MAX_BYTES - Buffer.byteLength(ending);
  let end = 0;
  for (const character of stem) {
    characters -= 1;
    bytes -= Buffer.byteLength(character);
    if (characters < 0 || bytes < 0) return withoutTail(stem.slice(0, end));
    end += character.length;
  }
  return stem;
}

/** A loop, because a regular expression takes quadratic time for many dots in the middle. */
function withoutTail(text: string): string {
  let end = text.length;
  while (end > 0 && DOT_OR_BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Upper case first: 'ß' and 'SS' are the same on some file systems, and so are 'ſ' and 's'. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}
