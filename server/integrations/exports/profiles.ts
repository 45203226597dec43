// Profiles of other systems: the files that they export, and the headers in them. Each is a file of data.

import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { caseTypes, dateForms, statuses, statusTypes } from '@matterdesk/contract/cases.ts';
import {
  importFields,
  type ImportKind,
  importKinds,
  type ImportProfile,
  importProfiles,
} from '@matterdesk/contract/imports.ts';

const text = z.string().check(z.minLength(1));
const kind = z.enum(importKinds);

const ProfileSchema = z.strictObject({
  name: text,
  /** Names the other system in texts: 'From Clio'. */
  system: text,
  /** Names of files, with what they hold. */
  files: z.array(text),
  /** Sentences on how to get the export, and on what does not come with it. */
  hints: z.array(text),
  /** Tables lie in a folder of their matter, which their rows do not name. */
  perMatter: z._default(z.boolean(), false),
  /** Order of day and month, where a file's dates do not say. */
  dates: z.enum(dateForms),
  /** Files by name; the first that matches counts. */
  patterns: z.array(
    z.strictObject({
      /** A regular expression for the path below the export, without regard to case. */
      match: text,
      /** Null for a file that nothing is read from. */
      kind: z.nullable(kind),
      /** Values by field, which override columns. */
      values: z.optional(z.record(text, text)),
      /** Words by field, before the values of rows. */
      prefixes: z.optional(z.record(text, text)),
    }),
  ),
  /** Headers by kind and field, the best first; without regard to case and punctuation. */
  aliases: z.partialRecord(kind, z.record(text, z.array(text))),
  tables: z.strictObject({
    status: z.record(text, z.enum([...statusTypes, ...statuses])),
    type: z.record(text, z.enum(caseTypes)),
  }),
});

type Pattern = z.infer<typeof ProfileSchema>['patterns'][number];
export type Profile = Omit<z.infer<typeof ProfileSchema>, 'patterns'> & {
  key: ImportProfile;
  patterns: readonly (Omit<Pattern, 'match'> & { match: RegExp })[];
};

const profiles = new Map(importProfiles.map((key) => [key, load(key)]));

export function profileOf(key: ImportProfile): Profile {
  const profile = profiles.get(key);
  if (!profile) throw new Error(`no profile ${key}`);
  return profile;
}

function load(key: ImportProfile): Profile {
  const file = new URL(`profiles/${key}.json`, import.meta.url);
  const profile = ProfileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  for (const [of, aliases] of Object.entries(profile.aliases))
    for (const field of Object.keys(aliases)) requireField(of as ImportKind, field);
  const patterns = profile.patterns.map(({ match, ...pattern }) => ({
    ...pattern,
    match: new RegExp(match, 'iu'),
  }));
  return { ...profile, key, patterns };
}

function requireField(of: ImportKind, field: string): void {
  if (!importFields[of].some(({ key }) => key === field))
    throw new Error(`no field ${of}.${field}`);
}
