import Briefcase from 'lucide-react/icons/briefcase-business';
import Check from 'lucide-react/icons/check';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { useFiling } from './use-filing.ts';

interface ProposedCaseProps {
  mailId: string;
  proposed: NonNullable<MailDetail['proposedCase']>;
}

/** The case that a mail seems to belong to, with the reason and a button to file it there. */
export function ProposedCase({ mailId, proposed: { id, caseName, reason } }: ProposedCaseProps) {
  const { isBusy, file } = useFiling(mailId);
  const [isFiled, setIsFiled] = useState(false);
  const handleClick = async () => {
    if (await file(id)) setIsFiled(true);
  };
  return (
    <section
      aria-label="Proposed case"
      className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-card bg-accent-soft py-1 pr-1 pl-2.5 text-sm text-accent-ink"
    >
      <Briefcase />
      <p className="min-w-0 grow basis-40 wrap-anywhere">
        <Link
          to={paths.caseDetails(id)}
          className="font-semibold underline-offset-3 hover:underline"
        >
          <bdi>{caseName}</bdi>
        </Link>{' '}
        · {reason}
      </p>
      {isFiled ? (
        <span className="flex h-7 items-center gap-1.5 px-2 font-semibold">
          <Check className="size-3.5" /> Filed here
        </span>
      ) : (
        <Button
          size="small"
          variant="quiet"
          busy={isBusy}
          className="text-accent-ink!"
          onClick={() => void handleClick()}
        >
          File here
        </Button>
      )}
    </section>
  );
}
