import { Readable } from 'node:stream';
import type { Intake, NewIntake, SentIntake } from '@matterdesk/contract/intakes.ts';
import type { Actor } from '../../core/actor.ts';
import type { Once } from '../../core/once.ts';
import { invalidField } from '../../core/refusal.ts';
import type { IncomingFile } from '../../http/upload.ts';
import type { FileService } from '../files/service.ts';
import type { createMails } from '../mails/service.ts';
import type { createTexting } from '../messages/service.ts';
import type { IntakeService } from './service.ts';

type Parts = {
  intakes: IntakeService;
  files: FileService;
  mails: Pick<ReturnType<typeof createMails>, 'filing' | 'reading'>;
  texting: Pick<ReturnType<typeof createTexting>, 'transcripts'>;
};
type Kept = { input: NewIntake; file: IncomingFile; kind: 'mail' | 'message'; text: string };

/** Enters inquiries, also those that came as a mail or as texts. */
export class Making {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws Refusal invalidInput, notFound for a mail or texts that the caller does not have */
  async make(actor: Actor, sent: SentIntake, once?: Once): Promise<Intake> {
    const { intakes, files } = this.#parts;
    const { name, fromMail, fromNumber, ...members } = sent;
    if (fromMail === undefined && fromNumber === undefined) {
      if (name === undefined) throw invalidField('name', 'Name is required');
      return intakes.addIntake(actor, { name, ...members }, { once });
    }
    const kept =
      fromMail === undefined
        ? await this.#ofTexts(actor, fromNumber ?? '', { name, members })
        : await this.#ofMail(actor, fromMail, { name, members });
    const { input, file, kind, text } = kept;
    const parts = (async function* only() {
      yield file;
    })();
    const placeOf = () => Promise.resolve(null);
    return files.incoming.accept({ parts }, placeOf, (_, stored) =>
      intakes.addIntake(actor, input, { once, sent: { stored, kind, text } }),
    );
  }

  async #ofMail(actor: Actor, mailId: string, { name, members }: Said): Promise<Kept> {
    const { filing, reading } = this.#parts.mails;
    const { name: file, bytes } = await filing.readFile(actor, mailId);
    const { from, subject, message } = await reading.read(actor, mailId);
    if (from === null) throw invalidField('fromMail', 'This email names no sender');
    const input = {
      ...members,
      name: name ?? (from.name || from.email).slice(0, NAME),
      email: members.email ?? from.email,
      description: members.description || message.slice(0, STORY),
    };
    return { input, file: toFile(file, Readable.from([bytes])), kind: 'mail', text: subject };
  }

  async #ofTexts(actor: Actor, number: string, { name, members }: Said): Promise<Kept> {
    const { name: file, bytes } = await this.#parts.texting.transcripts.transcribe(actor, number);
    const input = {
      ...members,
      name: name ?? number,
      phoneNumber: members.phoneNumber ?? number,
    };
    return { input, file: toFile(file, bytes), kind: 'message', text: number };
  }
}

type Said = { name: string | undefined; members: Omit<NewIntake, 'name'> };

/** Characters of a description, and of a name. */
const [STORY, NAME] = [4000, 200];

function toFile(name: string, bytes: Readable): IncomingFile {
  return { name, bytes, isCut: () => false };
}
