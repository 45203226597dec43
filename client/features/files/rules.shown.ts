import type { FileDetail, fileRoutes } from '@matterdesk/contract/files.ts';
import type { RouteReply } from '@matterdesk/contract/route.ts';
import type { ReactNode } from 'react';

/** A file of a case. */
export type FileAt = { caseId: string; folder: string; name: string };

/** A page of the text that training extracted from a file. */
export type PageText = RouteReply<typeof fileRoutes.readText>;

/** Files that a search found, so far. */
export type FilesFound = RouteReply<typeof fileRoutes.searchFiles>;

export type Span = { start: number; end: number };

/** A cited passage: its first page, and its place in the whole text. */
export type Citable = FileAt & { page: number; passage: Span; sentence: Span | undefined };

/** Position of the preview: a file, a page, and a passage in offsets of the whole text. */
export type Shown = FileAt & { page?: number; passage?: Span; sentence?: Span };

export function fileOf({ caseId, folder, name }: FileAt): FileAt {
  return { caseId, folder, name };
}

/** The props of every viewer. */
export interface ViewerProps {
  shown: Shown;
  detail: FileDetail;
  /** The switch between the document and its text, for the toolbar. */
  modes?: ReactNode;
}
