import type { Case } from '@matterdesk/contract/cases.ts';
import type { CaseProposal } from '@matterdesk/contract/intake-acceptance.ts';
import type {
  Intake,
  IntakeDetail,
  IntakeParty,
  IntakeRole,
} from '@matterdesk/contract/intakes.ts';
import { fullName } from '../../../core/actor.ts';
import { minuteInUtc } from '../../../core/dates.ts';
import { fold } from '../../../db/search.ts';

/** The case that an intake suggests. @param today the firm's day */
export function proposeCase(intake: Intake, today: string): CaseProposal {
  const { name, phoneNumber, email, address, type, DOI, SOL, owner } = intake;
  const of = (role: IntakeRole) =>
    intake.parties.find((party) => party.role === role)?.name ?? null;
  const other = of('opposingParty');
  const counsel = of('opposingCounsel');
  return {
    caseName: other === null ? name : `${name} v. ${other}`,
    caseNo: null,
    statusType: 'Active',
    status: 'Pre-List',
    type,
    judge: of('judge'),
    dateOfOpening: today,
    managingAttorney: owner && fullName(owner),
    DOI,
    SOL,
    daysOpen: 0,
    assignedUsers: owner ? [owner.id] : [],
    clientInfo: { name, phoneNumber, email, address },
    opposingCounselInfo:
      counsel === null
        ? null
        : { organization: null, name: counsel, phoneNumber: null, email: null, address: null },
  };
}

type PartyTexts = Pick<Case, 'clientInfo' | 'opposingCounselInfo'>;

/** The intake's parties beyond the case's client and opposing counsel, each once per role. */
export function otherParties(parties: IntakeParty[], matter: PartyTexts): IntakeParty[] {
  const keyOf = (role: string, name: string) => `${role} ${fold(name.trim())}`;
  const { clientInfo: client, opposingCounselInfo: counsel } = matter;
  const taken = new Set([
    keyOf('client', client.name),
    keyOf('opposingCounsel', counsel.name ?? ''),
    keyOf('opposingCounsel', counsel.organization ?? ''),
  ]);
  return parties.filter(({ role, name }) => {
    const key = keyOf(role, name);
    const isNew = !taken.has(key);
    taken.add(key);
    return isNew;
  });
}

/** An intake for print: facts, the story, answers, then the activity, oldest first. */
export function describeIntake({ intake, answers, activity }: IntakeDetail) {
  const facts = [
    ['Name', intake.name],
    ['Phone', intake.phoneNumber],
    ['Email', intake.email],
    ['Address', intake.address],
    ['Type', intake.type],
    ['DOI', intake.DOI],
    ['SOL', intake.SOL],
    ['Source', intake.source],
    ['Form', intake.form?.name ?? null],
    ['Received', minuteInUtc(intake.receivedAt)],
    ['First response', intake.firstResponseAt && minuteInUtc(intake.firstResponseAt)],
    ...intake.parties.map(({ name, role }) => [role, name] as const),
  ] as const;
  const named = facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  const story = intake.description
    ? [{ head: 'What happened', body: intake.description, notes: [] }]
    : [];
  const answered = answers.map(({ label, value }) => ({ head: label, body: value, notes: [] }));
  const happened = activity.toReversed().map(({ at, by, kind, text }) => ({
    head: `${minuteInUtc(at)} · ${by ? fullName(by) : 'Sender'} · ${kind}`,
    body: text ?? '',
    notes: [],
  }));
  return { facts: named, entries: [...story, ...answered, ...happened] };
}
