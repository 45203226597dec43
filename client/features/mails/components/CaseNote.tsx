import Briefcase from 'lucide-react/icons/briefcase-business';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { dateInWords } from '../rules.ts';
import { useFiling } from './use-filing.ts';

/** Where the mail is filed, and the case that it seems to belong to, with the reason and a button to file it there. */
export function CaseNote({ mail }: { mail: MailDetail }) {
  const { proposedCase, filed } = mail;
  const { isBusy, file } = useFiling(mail);
  const proposed = filed.some((each) => each.case.id === proposedCase?.id) ? null : proposedCase;
  if (filed.length === 0 && proposed === null) return null;
  return (
    <div className="mt-4 flex flex-col gap-1">
      {filed.map((each) => (
        <Row
          key={each.url}
          label="Filed email"
          item={each.case}
          words={`filed ${dateInWords(each.at)}`}
        >
          <span className="flex h-7 items-center gap-1.5 px-2 font-semibold">
            <Check className="size-3.5" /> Filed here
          </span>
        </Row>
      ))}
      {proposed && (
        <Row label="Proposed case" item={proposed} words={proposed.reason}>
          <Button
            size="small"
            variant="quiet"
            busy={isBusy}
            className="text-accent-ink!"
            onClick={() => void file(proposed.id)}
          >
            File here
          </Button>
        </Row>
      )}
    </div>
  );
}

interface RowProps {
  label: string;
  item: { id: string; caseName: string };
  words: string;
  children: ReactNode;
}

function Row({ label, item, words, children }: RowProps) {
  return (
    <section
      aria-label={label}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-card bg-accent-soft py-1 pr-1 pl-2.5 text-sm text-accent-ink"
    >
      <Briefcase />
      <p className="min-w-0 grow basis-40 wrap-anywhere">
        <Link
          to={paths.caseDetails(item.id)}
          className="font-semibold underline-offset-3 hover:underline"
        >
          <bdi>{item.caseName}</bdi>
        </Link>{' '}
        · {words}
      </p>
      {children}
    </section>
  );
}
