// Words of the tray, and what its papers are.

import { NOT_FILED } from '@matterdesk/contract/cases.ts';
import type { TrayItem, TraySource } from '@matterdesk/contract/tray.ts';
import { fullName } from '../../core/full-name.ts';
import type { Option } from '../../ui/option.ts';
import type { TrayAct } from './slice.ts';

/** Names of the sources, and of the folders into which their items go without a choice. */
export const sourceNames: Readonly<Record<TraySource, string>> = {
  mail: 'Mail',
  text: 'Texts',
  scan: 'Scans',
  upload: 'Uploads',
};

export const sources = Object.keys(sourceNames) as TraySource[];

/** The first line of an item: texts have no title of their own. */
export function titleOf({ source, title, excerpt }: TrayItem): string {
  const [first = ''] = excerpt.trim().split('\n');
  return source === 'text' ? first || title : title;
}

/** The origin of an item: 'From the office scanner', 'Uploaded by Kofi Mensah', 'Text from Ngozi Abara'. */
export function originOf({ source, from, owner }: TrayItem): string {
  const sender = from?.name ?? from?.email ?? from?.phoneNumber;
  if (source === 'scan') return 'From the office scanner';
  if (source === 'upload') return owner ? `Uploaded by ${fullName(owner)}` : 'Uploaded';
  if (sender === undefined) return source === 'text' ? 'Text' : 'Email';
  return source === 'text' ? `Text from ${sender}` : `From ${sender}`;
}

/** The second line of a row; a scan names its best clue. */
export function noteOf(item: TrayItem): string {
  if (item.source !== 'scan') return originOf(item);
  const [first] = item.proposals.flatMap(reasonsOf);
  return first ?? (item.pages === null ? originOf(item) : 'No case number or name found');
}

export function reasonsOf({ reason }: TrayItem['proposals'][0]): string[] {
  return reason.split('\n').filter(Boolean);
}

/** '{Name}, {address}, is the client', or a witness, or opposing counsel. */
const PERSON = /^(.+?)(?:, born .+?)?,? is (?:the |an? |opposing |co-)/;

/** Texts that the reasons name, to be marked in the paper: numbers, and the person who 'is the client'. */
export function cluesOf({ proposals }: TrayItem): string[] {
  const found = proposals.flatMap(reasonsOf).flatMap((reason) => {
    const numbers = reason.split(/[\s,]/).filter((word) => word.length > 4 && /\d/.test(word));
    const [, name] = PERSON.exec(reason) ?? [];
    return [...numbers, ...(name === undefined ? [] : [name])];
  });
  return [...new Set(found)];
}

/** A proposed matter as the pickers show it. */
export function matterOption({ id, caseName, caseNo }: TrayItem['proposals'][0]['case']): Option {
  return { id, label: caseName, number: caseNo ?? NOT_FILED };
}

/** 'Filed Lease 2019.docx in Okafor', 'Dismissed IMG_2231.heic' */
export function actInWords({ title, to }: TrayAct): string {
  return to ? `Filed ${title} in ${to.label}` : `Dismissed ${title}`;
}

const TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  txt: 'text/plain',
  csv: 'text/csv',
  md: 'text/markdown',
};

/** The type by which a paper is shown; null for one that can only be downloaded. Scans are named by their content. */
export function typeOf({ title, pages }: TrayItem): string | null {
  const [, ending = ''] = /\.(\w+)$/.exec(title) ?? [];
  return TYPES[ending.toLowerCase()] ?? (pages === null ? null : 'application/pdf');
}
