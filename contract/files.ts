import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { id, isInvisible, line, optionalLine } from './text.ts';

export const trainingStatuses = ['training', 'trained', 'not trained', 'error'] as const;
export type TrainingStatus = (typeof trainingStatuses)[number];

export const FOLDER_REQUIRED = 'Please add folder name.';
/** Most files in one upload request. */
export const FILES_PER_UPLOAD_MAX = 100;

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
  /** From 1; name, size, type, hash and pages are those of the newest. */
  version: z.number(),
  training: z.object({
    status: z.enum(trainingStatuses),
    /** 0 to 1 while training. */
    progress: z.nullable(z.number()),
    error: z.nullable(text),
  }),
});
export type FileDetail = z.infer<typeof FileDetailSchema>;

/** A content that a file has or had. */
const FileVersionSchema = z.object({
  n: z.number(),
  by: PersonSchema,
  at: text,
  /** Bytes. */
  size: z.number(),
  mimeType: text,
  /** Hexadecimal. */
  sha256: text,
  /** Whether its text can be read. */
  trained: z.boolean(),
});
export type FileVersion = z.infer<typeof FileVersionSchema>;

/** A file in a socket event, with its case and folder. */
export const FileEventSchema = z.extend(FileDetailSchema, { url: text, case: text, folder: text });
export type FileEvent = z.infer<typeof FileEventSchema>;
export const DeletedFileSchema = z.object({ url: text, case: text, folder: text });

const FilesSchema = z.record(text, z.array(text));

export const LibrarySchema = z.object({
  /** URLs by folder, including empty folders. */
  files: FilesSchema,
  training: z.record(text, z.enum(trainingStatuses)),
  details: z.record(text, FileDetailSchema),
});
export type Library = z.infer<typeof LibrarySchema>;

export const FileMatchSchema = z.object({
  url: text,
  folder: text,
  name: text,
  /** First match in the text of a trained file; null when only the name matches. */
  excerpt: z.nullable(text),
});
export type FileMatch = z.infer<typeof FileMatchSchema>;

/** Names that a file system would read as a path. */
const isPath = (name: string) => /[/\\]/.test(name) || name === '.' || name === '..';

const allowed = [
  z.refine<string>((name) => !isPath(name), 'Folder name can’t be a path'),
  // Lists are objects keyed by folder, and JavaScript treats this key specially.
  z.refine<string>((name) => name !== '__proto__', 'Folder name isn’t allowed'),
];

export const folderName = line('Folder name', { required: FOLDER_REQUIRED, max: 200 }).check(
  z.refine((name) => !isInvisible(name), FOLDER_REQUIRED),
  ...allowed,
);
/** A folder name, or empty for none. */
export const folderOrNone = optionalLine('Folder name').check(
  z.refine((name) => name === '' || !isInvisible(name), FOLDER_REQUIRED),
  ...allowed,
);

export const NewFolderSchema = z.strictObject({
  caseId: id('Please select any case'),
  folder: folderName,
});
export type NewFolder = z.infer<typeof NewFolderSchema>;

export const TrainAllSchema = z.strictObject({
  caseId: id('Please select any case'),
  folder: z.optional(folderName),
});
export type TrainAll = z.infer<typeof TrainAllSchema>;

export const FileUrlSchema = z.strictObject({
  url: line('Url', { max: 3000 }),
});

export const FilePatchSchema = z.strictObject({
  /** Without its extension, the file keeps its own. */
  name: z.optional(line('File name', { required: 'A file needs a name', max: 255 })),
  folder: z.optional(folderName),
});
export type FilePatch = z.infer<typeof FilePatchSchema>;

const NO_VERSION = 'Version must be a whole number from 1';

export const VersionSchema = z.strictObject({
  version: z.int(NO_VERSION).check(z.gte(1, NO_VERSION), z.lte(999_999, NO_VERSION)),
});

const versionQuery = z.optional(
  z.pipe(z.string(NO_VERSION).check(z.regex(/^[1-9]\d{0,5}$/, NO_VERSION)), z.transform(Number)),
);

const content = '/api/v1/files/content/{caseId}/{folder}/{name}';

/** Stable URL of a file; the last segment is its display name. */
export function contentUrl(caseId: string, folder: string, name: string): string {
  return `/api/v1/files/content/${[caseId, folder, name].map(encodeURIComponent).join('/')}`;
}

export const fileRoutes = {
  listFiles: defineRoute({
    method: 'GET',
    path: '/api/v1/files/listOfFilesByCase/{caseId}',
    summary: "A case's folders and files, with the training status of each file",
    access: 'signedIn',
    reply: LibrarySchema,
    message: 'OK',
  }),
  searchFiles: defineRoute({
    method: 'GET',
    path: '/api/v1/files/search',
    summary: 'Files of a case by their names and the text of trained ones, by folder and name',
    access: 'signedIn',
    query: z.object({ caseId: id('Please select any case'), ...pagingQuery }),
    reply: z.object({ files: z.array(FileMatchSchema), ...pagingReply }),
    message: 'OK',
  }),
  createFolder: defineRoute({
    method: 'POST',
    path: '/api/v1/files/createFolder',
    summary: 'Creates an empty folder',
    access: 'signedIn',
    body: NewFolderSchema,
    reply: z.object({ files: FilesSchema }),
    status: 201,
    message: 'Folder created',
  }),
  uploadFiles: defineRoute({
    method: 'POST',
    path: '/api/v1/files/uploadFile',
    summary:
      'Stores one to a hundred files; the fields caseId and folder come first. Without a case they go to the tray',
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
      /** The newest without one. */
      version: versionQuery,
    }),
    message: 'OK',
  }),
  readText: defineRoute({
    method: 'GET',
    path: '/api/v1/files/text/{caseId}/{folder}/{name}',
    summary: 'Extracted text of one page with its offset, for checking citations',
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
      version: versionQuery,
    }),
    reply: z.object({ page: z.number(), pages: z.number(), start: z.number(), text }),
    message: 'OK',
  }),
  changeFile: defineRoute({
    method: 'PATCH',
    path: content,
    summary:
      'Renames a file, or moves it to another folder of its case; its former URLs lead to it too',
    access: 'signedIn',
    body: FilePatchSchema,
    reply: z.object({ url: text }),
    message: 'File changed',
  }),
  deleteFile: defineRoute({
    method: 'DELETE',
    path: content,
    summary: 'Deletes a file; it can be restored for 30 days',
    access: 'signedIn',
    reply: z.null(),
    message: 'File deleted',
  }),
  restoreFile: defineRoute({
    method: 'POST',
    path: '/api/v1/files/restore',
    summary: 'Restores a deleted file, with a number when its name is taken',
    access: 'signedIn',
    body: FileUrlSchema,
    reply: z.object({ url: text }),
    status: 201,
    message: 'File restored',
  }),
};

const versions = '/api/v1/files/versions/{caseId}/{folder}/{name}';

export const fileVersionRoutes = {
  listVersions: defineRoute({
    method: 'GET',
    path: versions,
    summary: 'The versions of a file, newest first',
    access: 'signedIn',
    reply: z.object({ versions: z.array(FileVersionSchema) }),
    message: 'OK',
  }),
  addVersion: defineRoute({
    method: 'POST',
    path: versions,
    summary:
      'Uploads a new version of a file, which keeps its name, its URL and its earlier versions',
    access: 'signedIn',
    file: 'attachments',
    reply: FileEventSchema,
    status: 201,
    message: 'New version uploaded',
  }),
  restoreVersion: defineRoute({
    method: 'POST',
    path: `${versions}/restore`,
    summary: 'Makes an earlier version of a file its newest one',
    access: 'signedIn',
    body: VersionSchema,
    reply: FileEventSchema,
    status: 201,
    message: 'Version restored',
  }),
};

export const trainingRoutes = {
  trainAll: defineRoute({
    method: 'POST',
    path: '/api/v1/files/train',
    summary: 'Queues training of all files of a case or folder that are not trained',
    access: 'signedIn',
    body: TrainAllSchema,
    /** Files that are in training or trained by this; those that cannot be trained do not count. */
    reply: z.object({ queued: z.number() }),
    message: 'Training started',
  }),
};
