import type { ReactNode } from 'react';
import {
  contentUrl,
  type FileDetail,
  type fileRoutes,
  type fileVersionRoutes,
} from '@matterdesk/contract/files.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';

/** A file of a case; the newest version without a number. */
export type FileAt = {
  caseId: string;
  folder: string;
  name: string;
  version?: number | undefined;
  /** The content URL of a paper of the tray, which is in no case yet. */
  paper?: string | undefined;
};

/** A page of the text that training extracted from a file. */
export type PageText = RouteReply<typeof fileRoutes.readText>;

/** Files that a search found, so far. */
export type FilesFound = RouteReply<typeof fileRoutes.searchFiles>;

/** The versions of a file, newest first. */
export type FileVersions = RouteReply<typeof fileVersionRoutes.listVersions>['versions'];

export type Span = { start: number; end: number };

/** A cited passage: its first page, and its place in the whole text. */
export type Citable = FileAt & { page: number; passage: Span; sentence: Span | undefined };

/** Position of the preview: a file, a page, and a passage in offsets of the whole text. */
export type PreviewTarget = FileAt & {
  page?: number;
  passage?: Span;
  sentence?: Span;
  /** Words that begin on the page, in place of a passage whose offsets are known. */
  quotation?: string;
  /** Texts that are marked wherever they are. */
  clues?: readonly string[];
};

export function fileOf({ caseId, folder, name, version, paper }: FileAt): FileAt {
  return { caseId, folder, name, version, paper };
}

/** The URL of a file's content. */
export function contentOf(at: FileAt, isDownload = false): string {
  const { caseId, folder, name, version, paper } = at;
  const query = new URLSearchParams();
  if (isDownload) query.set('download', '1');
  if (version !== undefined) query.set('version', String(version));
  const url = paper ?? contentUrl(caseId, folder, name);
  return query.size === 0 ? url : `${url}?${query}`;
}

/** The version to fetch; undefined for a file that has only one, whose content never changes. */
export function versionToShow({ version }: FileAt, newest: number): number | undefined {
  return newest === 1 ? undefined : (version ?? newest);
}

/** The props of every viewer. */
export interface ViewerProps {
  shown: PreviewTarget;
  detail: Pick<FileDetail, 'size' | 'mimeType' | 'training'>;
  /** The switch between the document and its text, for the toolbar. */
  modes?: ReactNode;
}
