import type { NoticeType } from '@matterdesk/contract/notices.ts';
import { nowAt, type FirmClock } from '../../core/clocks.ts';
import { GoogleFailure } from '../../integrations/google/failure.ts';

/** A mail about a notice. `id` is its Message-ID, so that a repeated one is known as the same. */
export type NoticeLetter = { id: string; to: string; name: string; subject: string; text: string };

type Mailed = {
  id: string;
  email: string;
  name: string;
  title: string;
  body: string;
  at: Date;
  missed: boolean;
  case_name: string | null;
  type: NoticeType;
  case_id: string | null;
  intake_id: string | null;
};

const NOON = 12;
const WHY =
  'You receive this because notices are mailed to you. You can change that in Matterdesk under Account.';

export function letterOf(notice: Mailed, firm: FirmClock, publicUrl: string): NoticeLetter {
  const { id, email, name, title, body, case_name: caseName } = notice;
  const missed = notice.missed ? missedNote(notice.at, firm) : '';
  const parts = [title, caseName ?? '', body, missed, `${publicUrl}${pageOf(notice)}`, WHY];
  return {
    id: `<${id}@${new URL(publicUrl).hostname}>`,
    to: email,
    name,
    subject: title,
    text: parts.filter((part) => part !== '').join('\n\n'),
  };
}

/** Where the mail leads. */
function pageOf({ type, case_id: caseId, intake_id: intakeId }: Mailed): string {
  if (type === 'account') return '/dashboard/account';
  if (type !== 'access') return '/dashboard/calendar';
  if (caseId !== null) return `/dashboard/caseDetails/${caseId}?access=1`;
  return intakeId === null ? '/dashboard/matters' : `/dashboard/intakes?intake=${intakeId}`;
}

/** What came late because no process ran. */
function missedNote(at: Date, { timeZone }: FirmClock): string {
  const { time } = nowAt(at, timeZone);
  const hours = Number(time.slice(0, 2));
  const clock = `${hours % NOON || NOON}:${time.slice(3)} ${hours < NOON ? 'AM' : 'PM'}`;
  return `Missed at ${clock}: the server was off`;
}

/** Failures before the mail itself is handed to its server. */
const BEFORE = ['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'];

/** Whether a failed mail may have been sent. */
export function isUnsure(error: unknown): boolean {
  if (error instanceof GoogleFailure) return error.isUnsure;
  const { code, responseCode, syscall } = (error ?? {}) as Record<string, unknown>;
  const isRefused = typeof responseCode === 'number';
  return !isRefused && syscall !== 'connect' && !BEFORE.includes(String(code));
}
