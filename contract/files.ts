import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';
import { id, isInvisible, line } from './text.ts';

export const trainingStatuses = ['training', 'trained', 'not trained', 'error'] as const;
export type TrainingStatus = (typeof trainingStatuses)[number];

export const FOLDER_REQUIRED = 'Please add folder name.';
/** Files of one upload request. */
export const MAX_FILES_PER_UPLOAD = 100;

const text = z.string();

export const FileDetailSchema = z.object({
  name: text,
  /** Bytes. */
  size: z.number(),
  mimeType: text,
  /** Hexadecimal. */
  sha256: text,
  uploadedAt: text,
  uploadedBy: PersonSchema,
  pages: z.nullable(z.number()),
  training: z.object({
    status: z.enum(trainingStatuses),
    /** 0 to 1 while training. */
    progress: z.nullable(z.number()),
    error: z.nullable(text),
  }),
});
export type FileDetail = z.infer<typeof FileDetailSchema>;

/** A file as the socket tells of it: with where it stands. */
export const FileHeardSchema = z.extend(FileDetailSchema, { url: text, case: text, folder: text });
export type FileHeard = z.infer<typeof FileHeardSchema>;
export const FileGoneSchema = z.object({ url: text, case: text, folder: text });

const FilesSchema = z.record(text, z.array(text));

export const LibrarySchema = z.object({
  /** Urls by folder; empty folders are there too. */
  files: FilesSchema,
  training: z.record(text, z.enum(trainingStatuses)),
  details: z.record(text, FileDetailSchema),
});
export type Library = z.infer<typeof LibrarySchema>;

/** Names that are a way through a file system rather than a name in it. */
const isPath = (name: string) => /[/\\]/.test(name) || name === '.' || name === '..';

export const folderName = line('Folder name', { required: FOLDER_REQUIRED, max: 200 }).check(
  z.refine((name) => !isInvisible(name), FOLDER_REQUIRED),
  z.refine((name) => !isPath(name), 'Folder name must not be a path'),
  // Lists are objects by folder, and in JavaScript this member is none like the others.
  z.refine((name) => name !== '__proto__', 'Folder name must be another one'),
);

export const NewFolderSchema = z.strictObject({
  caseId: id('Please select any case'),
  folder: folderName,
});
export type NewFolder = z.infer<typeof NewFolderSchema>;

export const FileUrlSchema = z.strictObject({
  url: line('Url', { max: 3000 }),
});

const content = '/api/v1/files/content/{caseId}/{folder}/{name}';

/** A file's address: stable for its life; the last segment is its display name. */
export function contentUrl(caseId: string, folder: string, name: string): string {
  return `/api/v1/files/content/${[caseId, folder, name].map(encodeURIComponent).join('/')}`;
}

export const fileRoutes = {
  listFiles: defineRoute({
    method: 'GET',
    path: '/api/v1/files/listOfFilesByCase/{caseId}',
    summary: 'The folders of a case with their files, and how each file stands with its training',
    access: 'signedIn',
    reply: LibrarySchema,
    message: 'OK',
  }),
  createFolder: defineRoute({
    method: 'POST',
    path: '/api/v1/files/createFolder',
    summary: 'Makes an empty folder',
    access: 'signedIn',
    body: NewFolderSchema,
    reply: z.object({ files: FilesSchema }),
    status: 201,
    message: 'Folder created',
  }),
  uploadFiles: defineRoute({
    method: 'POST',
    path: '/api/v1/files/uploadFile',
    summary: 'Stores one to a hundred files; the fields caseId and folder come first',
    access: 'signedIn',
    file: 'attachments',
    fields: ['caseId', 'folder'],
    reply: z.object({ urls: z.array(text) }),
    status: 201,
    message: 'File uploaded',
  }),
  readContent: defineRoute({
    method: 'GET',
    path: content,
    summary: 'The bytes of a file, whole or in ranges; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    query: z.object({
      download: z.optional(z.enum(['0', '1'], { error: 'download must be one of 0, 1' })),
    }),
    message: 'OK',
  }),
  readText: defineRoute({
    method: 'GET',
    path: '/api/v1/files/text/{caseId}/{folder}/{name}',
    summary: 'The extracted text of one page with its offset, so that anybody can check a citation',
    access: 'signedIn',
    query: z.object({
      page: z.optional(
        z.pipe(
          z
            .string('Page must be a whole number from 1')
            .check(z.regex(/^[1-9]\d{0,8}$/, 'Page must be a whole number from 1')),
          z.transform(Number),
        ),
      ),
    }),
    reply: z.object({ page: z.number(), pages: z.number(), start: z.number(), text }),
    message: 'OK',
  }),
  deleteFile: defineRoute({
    method: 'DELETE',
    path: content,
    summary: 'Takes a file out of sight; it is kept 30 days and can be restored',
    access: 'signedIn',
    reply: z.null(),
    message: 'File deleted',
  }),
  restoreFile: defineRoute({
    method: 'POST',
    path: '/api/v1/files/restore',
    summary: 'Brings a deleted file back; when its name is taken it gets a number',
    access: 'signedIn',
    body: FileUrlSchema,
    reply: z.object({ url: text }),
    status: 201,
    message: 'File restored',
  }),
};
