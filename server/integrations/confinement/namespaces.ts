import path from 'node:path';
import { isDirectory } from './places.ts';

/** An existing directory that holds nothing we need: the new root is mounted over it. */
const NEW_ROOT = '/sys';
const READ_ONLY = 'bind,ro,nosuid,nodev';

const OUTSIDE = wordsOf(`setpriv --pdeathsig KILL --no-new-privs --
  unshare --user --map-root-user --mount --pid --net --ipc --uts --cgroup --fork --kill-child --`);
const INSIDE = wordsOf(
  `env -i unshare --user --map-user=1000 --map-group=1000 --root=${NEW_ROOT} --wd=/ --`,
);

/**
 * The command in namespaces of its own, for machines without bubblewrap: no network, no other process, and a root that
 * holds the places alone, read-only. A second user namespace drops the right to change any of it.
 */
export function inNamespaces(places: string[], command: string[]): string[] {
  const script = `${scriptFor(places)}\nexec "$0" "$@"`;
  return [...OUTSIDE, '/bin/sh', '-ec', script, ...INSIDE, ...command];
}

function scriptFor(places: string[]): string {
  const directories = places.filter((place) => isDirectory(place));
  const files = places.filter((place) => !isDirectory(place));
  const folders = new Set([...directories, ...files.map((file) => path.dirname(file))]);
  const table = `${NEW_ROOT}/.places`;
  const lines = places.map(
    (place) => `${escape(place)} ${escape(NEW_ROOT + place)} none ${READ_ONLY} 0 0`,
  );
  return [
    'umask 022',
    `mount -t tmpfs -o mode=755,size=1m,nosuid,nodev none ${NEW_ROOT}`,
    `mkdir -p ${[...folders].map((folder) => quote(NEW_ROOT + folder)).join(' ')}`,
    `for file in ${files.map((file) => quote(NEW_ROOT + file)).join(' ')}; do : > "$file"; done`,
    `printf '%s\\n' ${lines.map(quote).join(' ')} > ${table}`,
    // All at once: a process for each mount would cost more than the reader's start.
    `mount -a -T ${table}`,
    `mount -o remount,${READ_ONLY} ${NEW_ROOT}`,
  ].join('\n');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** As fstab(5) writes white space. */
function escape(place: string): string {
  return place.replaceAll(
    /[\s\\]/g,
    (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

function wordsOf(line: string): string[] {
  return line.split(/\s+/);
}
