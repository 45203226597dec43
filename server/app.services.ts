// The services of the application, each with what it is built on.

import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { type Pool } from './db/connect.ts';
import type { Database } from './db/schema.ts';
import { Writer } from './db/unit-of-work.ts';
import { accessRound } from './features/access/jobs.ts';
import { createAccess } from './features/access/service.assembly.ts';
import type { GlassService } from './features/access/service.glass.ts';
import { accountRound } from './features/accounts/jobs.ts';
import type { Post } from './features/accounts/service.post.ts';
import type { AccountService } from './features/accounts/service.ts';
import { createAccounts } from './features/accounts/service.assembly.ts';
import { Trainer, trainingRound } from './features/ai/training/jobs.ts';
import { TrainingService } from './features/ai/training/service.ts';
import { AskService } from './features/ai/answering/service.ts';
import { createChat, createEmbeddings } from './features/ai/service.models.ts';
import { sealRound } from './features/audit/jobs.ts';
import { createAudit } from './features/audit/service.ts';
import { calendarRound } from './features/calendar/jobs.ts';
import { createCalendar } from './features/calendar/service.assembly.ts';
import { CaseExchange } from './features/cases/service.exchange.ts';
import { CaseService } from './features/cases/service.ts';
import { conflictRounds } from './features/conflicts/jobs.ts';
import { createConflicts } from './features/conflicts/service.assembly.ts';
import { contactRound } from './features/contacts/jobs.ts';
import { createContacts } from './features/contacts/service.assembly.ts';
import { EmbeddingService } from './features/contacts/service.embedding.ts';
import { DashboardService } from './features/dashboard/service.ts';
import { idleRound } from './features/deadlines/idle/jobs.ts';
import type { IdleCases } from './features/deadlines/idle/service.ts';
import { limitationRound } from './features/deadlines/limitations/jobs.ts';
import { LimitationService } from './features/deadlines/limitations/service.ts';
import { createDeadlines } from './features/deadlines/service.assembly.ts';
import { WarningService } from './features/deadlines/warnings/service.ts';
import { fileRound } from './features/files/jobs.ts';
import { FileService } from './features/files/service.ts';
import { FileTexts } from './features/files/service.training.ts';
import { FirmService } from './features/firm/service.ts';
import { erasingRound } from './features/intakes/erasing/jobs.ts';
import { createIntakes } from './features/intakes/service.assembly.ts';
import { MailJobs } from './features/mails/jobs.ts';
import { createMails } from './features/mails/service.ts';
import { MessageJobs } from './features/messages/jobs.ts';
import { createTexting } from './features/messages/service.ts';
import { digestRound, noticeRound } from './features/notices/jobs.ts';
import type { DigestService } from './features/notices/digest/service.ts';
import { NoticeService } from './features/notices/service.ts';
import type { Raising } from './features/notices/service.raising.ts';
import { Mailing } from './features/notices/service.mailing.ts';
import { createNotices } from './features/notices/service.assembly.ts';
import { StorageService } from './features/storage/service.ts';
import { taskRound } from './features/tasks/jobs.ts';
import { TaskLists } from './features/tasks/service.lists.ts';
import { TaskService } from './features/tasks/service.ts';
import type { BlobStore } from './integrations/blobs/blob-store.ts';
import { TranscriptWriter } from './integrations/pdf/transcript.ts';
import { Threads } from './integrations/threads.ts';
import { Queue, type Round } from './jobs/queue.ts';
import type { Log } from './log.ts';
import { ONLY, ownerOf, type Seat } from './processes/share.ts';
import { Realtime } from './realtime/publisher.ts';
import { type Sockets } from './realtime/server.ts';

export type Parts = {
  config: Config;
  secretKey: string;
  pool: Pool;
  /** For the connection that listens to other processes; with a pooler between, not the pool of the statements. */
  listening: Pool;
  blobs: BlobStore;
  log: Log;
  /** Among the processes on one DATA_DIR; by default it is the only one. */
  seat?: Seat;
};
export type Foundation = Parts & { db: Database; http: FastifyInstance; sockets: Sockets };

/** The services that all others build on. */
function createGround(foundation: Foundation) {
  const { config, secretKey, pool, blobs, log, db, sockets } = foundation;
  const realtime = new Realtime(sockets);
  const writer = new Writer(db, realtime);
  const threads = new Threads();
  const queue = new Queue(pool, { log, isAlone: isAlone(foundation) });
  const firm = new FirmService(db, writer, realtime);
  const people = createAccounts({ config, secretKey, db, writer, queue, log, firm });
  const { accounts } = people;
  const owner = ownerOf(foundation);
  const library = createLibrary({ config, db, writer, blobs, accounts, owner, queue, firm });
  const walls = createAccess(db, writer, accounts);
  const notices = new NoticeService(db, writer, queue);
  const limitations = new LimitationService(writer, firm, notices);
  const embedding = new EmbeddingService(writer);
  const { access } = walls;
  const cases = new CaseService(db, writer, { accounts, access, limitations, embedding });
  const paper = new TranscriptWriter(threads);
  const own = { realtime, writer, threads, queue, firm, owner, notices };
  return { ...own, ...people, ...library, ...walls, limitations, embedding, cases, paper };
}

/** Everything that serves requests and does work, assembled. */
export async function buildServices(foundation: Foundation) {
  const { config, blobs, log, db } = foundation;
  const ground = createGround(foundation);
  const all = { ...foundation, ...ground };
  const { writer, threads, queue, firm, accounts, notices, cases, embedding } = ground;
  const embeddings = await createEmbeddings({ config, db, log, threads });
  const onReady = (documentId: string) => void embeddings?.prepare(documentId);
  const tasks = new TaskService(db, writer, { accounts, cases });
  const courts = createDeadlines(all);
  const events = createCalendar({ ...all, ...courts });
  const timed = createNotices({ ...all, ...courts });
  const conflicts = createConflicts(all);
  const texting = createTexting(all);
  const mails = createMails({ ...all, invitations: events.found });
  const intaking = createIntakes({ ...all, embedding, conflicts, mails, texting });
  return {
    ...ground,
    trainer: new Trainer({ db, writer, blobs, texts: ground.texts, queue, log, onReady }),
    asking: new AskService({ db, log, chat: await createChat(config), embeddings }),
    exchange: new CaseExchange(all),
    tasks,
    taskLists: new TaskLists(db, firm),
    conflicts,
    events,
    ...events.withMails(mails),
    ...createAudit(db, writer, cases),
    ...courts,
    ...createContacts({ db, writer, cases, mails, texting }),
    dashboard: new DashboardService(cases, tasks, timed.digests),
    ...timed,
    texting,
    mails,
    intaking,
    ...jobsOf({ ...all, texting, mails }),
    rounds: [
      ...roundsOf({ ...all, ...courts, events }),
      ...peopleRounds({ ...all, embedding, conflicts, intaking, notices, ...timed }),
    ],
  };
}

type Shelves = Pick<Foundation, 'config' | 'db' | 'blobs'> & {
  writer: Writer;
  accounts: AccountService;
  owner: string;
  queue: Queue;
  firm: FirmService;
};

/** Files, what is read of them, and the room that they take. */
function createLibrary({ config, db, writer, blobs, accounts, owner, queue, firm }: Shelves) {
  const { maxUploadBytes, maxStorageBytes: limit } = config;
  const storage = new StorageService({ db, blobs, accounts, limit });
  const files = new FileService({ db, writer, blobs, storage, owner, maxUploadBytes });
  const texts = new FileTexts(db, files);
  const training = new TrainingService({ db, writer, files, texts, queue, firm });
  files.onAdopted((unit, actor, ids) => training.trainNew(unit, actor, ids));
  return { storage, files, texts, training };
}

type Repeated = {
  db: Database;
  owner: string;
  accounts: AccountService;
  glass: GlassService;
  limitations: LimitationService;
  idle: IdleCases;
  events: ReturnType<typeof createCalendar>;
  files: FileService;
  training: TrainingService;
};

/** Work that is repeated, also when no one asks. */
function roundsOf({ db, owner, ...services }: Repeated): Round[] {
  const { accounts, glass, limitations, idle, events, files, training } = services;
  return [
    accountRound(db, accounts),
    accessRound(glass),
    limitationRound(limitations),
    idleRound(idle),
    taskRound(db),
    calendarRound(events.upkeep),
    fileRound(files, owner),
    trainingRound(training),
    sealRound(db),
  ];
}

type Sought = {
  embedding: EmbeddingService;
  conflicts: ReturnType<typeof createConflicts>;
  intaking: ReturnType<typeof createIntakes>;
  writer: Writer;
  firm: FirmService;
  notices: NoticeService;
  raising: Raising;
  digests: DigestService;
};

/** Repeated work on contacts, names, notices and inquiries. */
function peopleRounds({ embedding, conflicts, intaking, ...timed }: Sought): Round[] {
  const { raising, digests } = timed;
  const warnings = new WarningService(timed);
  const names = conflictRounds(conflicts);
  return [
    contactRound(embedding),
    ...names,
    noticeRound([raising, warnings]),
    digestRound(digests),
    erasingRound(intaking),
  ];
}

type Sending = Pick<Foundation, 'config' | 'db'> & {
  texting: ReturnType<typeof createTexting>;
  mails: ReturnType<typeof createMails>;
  writer: Writer;
  queue: Queue;
  realtime: Realtime;
  firm: FirmService;
  post: Post;
};

function jobsOf({ config, texting, mails, db, writer, queue, realtime, firm, post }: Sending) {
  const { publicUrl } = config;
  const ways = { post, own: mails.toOneself };
  return {
    noticeMails: new Mailing({ writer, queue, firm, publicUrl, ...ways }),
    messageJobs: new MessageJobs({ ...texting.parts, ...texting, queue }),
    mailJobs: new MailJobs({ ...mails, db, queue, listeners: () => realtime.listeners() }),
  };
}

/** Whether no other process can be working on this database. */
export function isAlone({ config, seat = ONLY }: Parts): boolean {
  return !config.databaseUrl && seat.isFirst;
}
