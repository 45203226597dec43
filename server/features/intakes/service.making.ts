import type { Readable } from 'node:stream';
import type { Intake, NewIntake, SentIntake } from '@matterdesk/contract/intakes.ts';
import type { Actor } from '../../core/actor.ts';
import type { Once } from '../../core/once.ts';
import { invalidField } from '../../core/refusal.ts';
import type { Database } from '../../db/schema.ts';
import type { IncomingFile } from '../../http/upload.ts';
import type { FileService } from '../files/service.ts';
import type { createMails } from '../mails/service.ts';
import type { createTexting } from '../messages/service.ts';
import { requireIntake } from './service.keeping.ts';
import { MadeBefore } from './service.origins.ts';
import type { IntakeService } from './service.ts';
import { findMade, type Origin } from './store.origins.ts';
import { toIntake } from './store.ts';

type Parts = {
  db: Database;
  intakes: IntakeService;
  files: FileService;
  mails: Pick<ReturnType<typeof createMails>, 'filing' | 'reading'>;
  texting: Pick<ReturnType<typeof createTexting>, 'transcripts'>;
};
type Kept = { input: NewIntake; file: IncomingFile; text: string };

/** Enters inquiries, also those that came as a mail or as texts. */
export class Making {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Of one mail, and of texts while their intake is open, one intake is made: the first answers again.
   * @throws Refusal invalidInput, notFound for a mail or texts that the caller does not have
   */
  async make(actor: Actor, sent: SentIntake, once?: Once): Promise<Intake> {
    const { name, fromMail, fromNumber, ...members } = sent;
    const of = fromMail ?? fromNumber;
    if (of === undefined) {
      if (name === undefined) throw invalidField('name', 'Name is required');
      return this.#parts.intakes.addIntake(actor, { name, ...members }, { once });
    }
    const kind = fromMail === undefined ? 'message' : 'mail';
    const origin: Origin = { userId: actor.id, kind, of };
    const before = await this.#findMade(actor, origin);
    if (before) return before;
    try {
      return await this.#keep(actor, origin, { said: { name, members }, once });
    } catch (error) {
      const made = error instanceof MadeBefore ? await this.#findMade(actor, origin) : undefined;
      if (made) return made;
      throw error;
    }
  }

  async #findMade(actor: Actor, origin: Origin): Promise<Intake | undefined> {
    const db = this.#parts.db.as(actor);
    const id = await findMade(db, origin);
    return id === undefined ? undefined : toIntake(await requireIntake(db, id));
  }

  async #keep(
    actor: Actor,
    origin: Origin,
    { said, once }: { said: Said; once: Once | undefined },
  ) {
    const { intakes, files } = this.#parts;
    const { input, file, text } = await (origin.kind === 'mail'
      ? this.#ofMail(actor, origin.of, said)
      : this.#ofTexts(actor, origin.of, said));
    const parts = (async function* only() {
      yield file;
    })();
    const placeOf = () => Promise.resolve(null);
    return files.incoming.accept({ parts }, placeOf, (_, stored) =>
      intakes.addIntake(actor, input, { once, sent: { stored, origin, text } }),
    );
  }

  async #ofMail(actor: Actor, mailId: string, { name, members }: Said): Promise<Kept> {
    const { filing, reading } = this.#parts.mails;
    const { name: file, read } = await filing.readFile(actor, mailId);
    const { from, subject, message } = await reading.read(actor, mailId);
    if (from === null) throw invalidField('fromMail', 'This email names no sender');
    const input = {
      ...members,
      name: name ?? (from.name || from.email).slice(0, NAME),
      email: members.email ?? from.email,
      description: members.description || message.slice(0, STORY),
    };
    return { input, file: toFile(file, await read()), text: subject };
  }

  async #ofTexts(actor: Actor, number: string, { name, members }: Said): Promise<Kept> {
    const { name: file, bytes } = await this.#parts.texting.transcripts.transcribe(actor, number);
    const input = {
      ...members,
      name: name ?? number,
      phoneNumber: members.phoneNumber ?? number,
    };
    return { input, file: toFile(file, bytes), text: number };
  }
}

type Said = { name: string | undefined; members: Omit<NewIntake, 'name'> };

/** Characters of a description, and of a name. */
const [STORY, NAME] = [4000, 200];

function toFile(name: string, bytes: Readable): IncomingFile {
  return { name, bytes, isCut: () => false };
}
