import ArrowLeft from 'lucide-react/icons/arrow-left';
import Ban from 'lucide-react/icons/ban';
import Briefcase from 'lucide-react/icons/briefcase-business';
import Check from 'lucide-react/icons/check';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import FileDown from 'lucide-react/icons/file-down';
import FolderInput from 'lucide-react/icons/folder-input';
import Inbox from 'lucide-react/icons/inbox';
import X from 'lucide-react/icons/x';
import { type RefObject, useContext } from 'react';
import { Link } from 'react-router';
import type { Consent, Conversation } from '@matterdesk/contract/messages.ts';
import { paths } from '../../../core/paths.ts';
import { ContactLinkContext, useMakeIntake } from '../../../core/slots.ts';
import { buttonClass, Button, IconButton } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { useToday } from '../../../ui/days.ts';
import type { Option } from '../../../ui/option.ts';
import { consentInWords, numberInWords } from '../rules.ts';

interface ConversationHeaderProps {
  title: RefObject<HTMLHeadingElement | null>;
  contact: Conversation;
  matter: Option | null;
  /** The contact's latest opt-in or opt-out. */
  consent: Consent | null;
  /** Whether there are no messages yet. */
  isEmpty: boolean;
  onBack: () => void;
  onExport: () => void;
  /** The button of filing, to which the focus returns where the composer does not take it. */
  filing: RefObject<HTMLButtonElement | null>;
  isFiling: boolean;
  onFile: () => void;
  onForget: () => void;
}

/** The contact's name, number and case. */
export function ConversationHeader({ title, filing, ...props }: ConversationHeaderProps) {
  const { name, phoneNumber, caseId, lastMessage } = props.contact;
  const number = numberInWords(phoneNumber);
  const linkOf = useContext(ContactLinkContext);
  const intakes = useMakeIntake();
  return (
    <header className="flex min-h-[68px] flex-none flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2.5 sm:px-6">
      <IconButton
        label="Back to the contacts"
        icon={ArrowLeft}
        variant="quiet"
        className="-ml-2 sm:hidden"
        onClick={props.onBack}
      />
      <div className="min-w-0 grow basis-0">
        <h2
          ref={title}
          id="conversation-title"
          tabIndex={-1}
          className="flex flex-wrap gap-x-1.5 outline-none"
        >
          <span className="truncate font-semibold">{name ?? number}</span>
          {name !== null && <span className="text-ink-2 tabular-nums">{number}</span>}
        </h2>
        <span className="flex flex-wrap gap-x-4">
          {caseId !== null && (
            <Link
              to={paths.caseDetails(caseId)}
              className="inline-flex max-w-full items-center gap-1.5 text-sm text-ink-2 hover:text-ink hover:underline pointer-coarse:min-h-6"
            >
              <Briefcase className="size-3.5" />
              <span className="truncate">{props.matter?.label ?? 'Open the case'}</span>
            </Link>
          )}
          {linkOf?.(phoneNumber)}
        </span>
      </div>
      {props.consent !== null && <ConsentChip consent={props.consent} />}
      {intakes && caseId === null && !props.isEmpty && (
        <intakes.Finder address={phoneNumber}>
          {(id) =>
            id === null ? (
              <Button
                icon={Inbox}
                busy={intakes.isBusy}
                onClick={() =>
                  intakes.make({ fromNumber: phoneNumber, ...(name !== null && { name }) })
                }
              >
                Make intake
              </Button>
            ) : (
              <Link to={paths.intake(id)} className={buttonClass()}>
                <Inbox />
                Intake made
              </Link>
            )
          }
        </intakes.Finder>
      )}
      {props.isEmpty && lastMessage === null ? (
        <Button icon={X} onClick={props.onForget}>
          Remove
        </Button>
      ) : (
        <span className="page-actions flex gap-3">
          <Button
            ref={filing}
            icon={FolderInput}
            aria-pressed={props.isFiling}
            disabled={props.isEmpty}
            onClick={props.onFile}
          >
            File to case
          </Button>
          <Button
            icon={FileDown}
            aria-label="Export conversation"
            disabled={props.isEmpty}
            onClick={props.onExport}
          >
            Export
          </Button>
        </span>
      )}
    </header>
  );
}

const icons = { STOP: Ban, START: Check, HELP: CircleHelp };

/** The contact's opt-in or opt-out, on its own line on a phone. */
function ConsentChip({ consent }: { consent: Consent }) {
  const { words, tone } = consentInWords(consent, useToday());
  return (
    <span role="status" className="max-sm:order-last max-sm:basis-full">
      <Chip tone={tone} icon={icons[consent.keyword]}>
        {words}
      </Chip>
    </span>
  );
}
