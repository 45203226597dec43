import type { Check, Hit, MadeDecision } from '@matterdesk/contract/conflicts.ts';
import CheckIcon from 'lucide-react/icons/check';
import CornerDownRight from 'lucide-react/icons/corner-down-right';
import Lock from 'lucide-react/icons/lock';
import MessageCircle from 'lucide-react/icons/message-circle';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { useToday } from '../../../ui/days.ts';
import {
  askInWords,
  decisionsOf,
  decisionNames,
  fullName,
  momentInWords,
  needsDecision,
  roleOf,
  stateOf,
  whyOf,
} from '../rules.ts';
import { DecisionForm } from './DecisionForm.tsx';
import { SeverityMark } from './SeverityMark.tsx';

interface HitRowProps {
  check: Check;
  hit: Hit;
  /** The name that met it. */
  asked: string;
  /** Whether the check is about something from which people can be screened. */
  canWall: boolean;
  waivers: readonly { value: string; label: string }[];
  canDecide: boolean;
  isOpen: boolean;
  onOpen: () => void;
  onSaved: () => void;
}

/** A hit: how bad it is, where, why in words, and what was decided. */
export function HitRow(props: HitRowProps) {
  const { check, hit, asked, canDecide, isOpen, onOpen } = props;
  const isHidden = hit.severity === 'hidden';
  const decisions = decisionsOf(check, hit);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-3 @min-[40rem]:grid-cols-[7.25rem_minmax(0,1fr)] @min-[68rem]:grid-cols-[7.25rem_minmax(0,1fr)_15rem]">
      <div className="flex items-center gap-2 @min-[40rem]:block">
        <SeverityMark severity={hit.severity} />
        <p className="text-sm text-ink-2 @min-[40rem]:mt-1">
          {isHidden ? 'no access' : whyOf(hit)}
        </p>
      </div>
      <div className="min-w-0">
        <p className="flex items-center gap-1.5 font-medium wrap-anywhere">
          {isHidden ? asked : hit.found.name}
          {isHidden && <Lock className="text-ink-3" />}
        </p>
        <p className="text-sm text-ink-2 wrap-anywhere">
          <Place hit={hit} />
        </p>
        <p className="mt-1 flex items-start gap-2 text-sm wrap-anywhere">
          <CornerDownRight className="mt-px size-3.5! text-ink-3" />
          {isHidden
            ? 'Hidden hits are matches of a whole name or a phone number, never of a part.'
            : hit.reason}
        </p>
        {isOpen && <DecisionForm {...props} checkId={check.id} />}
      </div>
      {!isOpen && (
        <div className="min-w-0 text-sm @max-[68rem]:@min-[40rem]:col-start-2">
          {isHidden && decisions.length === 0 && (
            <p className="mb-1 flex items-start gap-1.5">
              <MessageCircle className="mt-px text-ink-3" />
              {askInWords(hit.ask)}
            </p>
          )}
          {decisions.map((decision) => (
            <Decided key={decision.at} decision={decision} />
          ))}
          {!isHidden &&
            decisions.length === 0 &&
            hit.before.map((decision) => (
              <Decided key={decision.at} decision={decision} isBefore />
            ))}
          {needsDecision(hit) ? (
            canDecide && (
              <Button size="small" onClick={onOpen}>
                {decisions.length > 0 ? 'Decide again' : 'Decide'}
              </Button>
            )
          ) : (
            <p className="text-ink-2">Needs no decision</p>
          )}
        </div>
      )}
    </li>
  );
}

function Place({ hit }: { hit: Hit }) {
  if (hit.severity === 'hidden') return 'In a matter that you do not see';
  const { found } = hit;
  const { case: matter, intake, contact, file } = found;
  const role = roleOf(found);
  if (matter)
    return (
      <>
        {`${role} in `}
        <Link to={paths.caseDetails(matter.id)} className="link">
          {matter.caseName}
        </Link>
        {` · ${stateOf(found)}${file ? ` · ${file.name}` : ''}`}
      </>
    );
  if (intake)
    return (
      <>
        {`${role} in `}
        <Link to={paths.intake(intake.id)} className="link">
          {`intake ${intake.number}`}
        </Link>
      </>
    );
  if (contact)
    return (
      <>
        {'In '}
        <Link to={paths.contact(contact.id)} className="link">
          Contacts
        </Link>
      </>
    );
  return role;
}

function Decided({ decision, isBefore = false }: { decision: MadeDecision; isBefore?: boolean }) {
  const today = useToday();
  const { by, at, reason, screened } = decision;
  const who = by ? fullName(by) : 'Matterdesk';
  return (
    <div className="mb-1.5">
      <p className="flex items-center gap-1.5 font-medium">
        <CheckIcon className="size-3.5!" />
        {isBefore
          ? `${decisionNames[decision.decision]} in an earlier check`
          : decisionNames[decision.decision]}
      </p>
      <p className="wrap-anywhere">{reason}</p>
      {screened.length > 0 && <p>{`Screened: ${screened.map(fullName).join(', ')}`}</p>}
      <p className="text-ink-3">{`${who}, ${momentInWords(at, today)}`}</p>
    </div>
  );
}
