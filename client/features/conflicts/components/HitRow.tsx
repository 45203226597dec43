import CheckIcon from 'lucide-react/icons/check';
import CornerDownRight from 'lucide-react/icons/corner-down-right';
import Lock from 'lucide-react/icons/lock';
import MessageCircle from 'lucide-react/icons/message-circle';
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Check, Hit, MadeDecision, Decision } from '@matterdesk/contract/conflicts.ts';
import { lazyNamed } from '../../../core/chunks.ts';
import { SelectField } from '../../../core/fields.tsx';
import { useSave } from '../../../core/form.ts';
import { fullName } from '../../../core/full-name.ts';
import { paths } from '../../../core/paths.ts';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import { momentInWords } from '../../../core/words.ts';
import { Button } from '../../../ui/Button.tsx';
import { useNow } from '../../../ui/days.ts';
import { openInRow } from '../../../ui/focus.ts';
import { TextInput } from '../../../ui/TextInput.tsx';
import { decideHits } from '../api.ts';
import {
  askInWords,
  decisionsOf,
  decisionNames,
  needsDecision,
  roleOf,
  stateOf,
  whyOf,
} from '../rules.ts';
import type { DecisionInputs } from './ScreenedPeopleField.tsx';
import { SeverityMark } from './SeverityMark.tsx';

const DirectQuestion = lazyNamed(() => import('./DirectQuestion.tsx'), 'DirectQuestion');

// Few decisions screen people.
const ScreenedPeopleField = lazyNamed(
  () => import('./ScreenedPeopleField.tsx'),
  'ScreenedPeopleField',
);

interface HitRowProps {
  check: Check;
  hit: Hit;
  /** The name that matched. */
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
              <Button size="small" onClick={(event) => openInRow(event.currentTarget, onOpen)}>
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
  if (hit.severity === 'hidden') return 'In a matter you can’t see';
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
  const now = useNow();
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
      <p className="text-ink-3">{`${who}, ${momentInWords(at, now)}`}</p>
    </div>
  );
}

interface DecisionFormProps {
  checkId: string;
  hit: Hit;
  asked: string;
  canWall: boolean;
  waivers: readonly { value: string; label: string }[];
  onOpen: () => void;
  onSaved: () => void;
}

type DecisionOption = { value: Decision; hint: string };
const noConflict: DecisionOption = { value: 'noConflict', hint: 'not the same, or not adverse' };
const wall: DecisionOption = { value: 'wall', hint: 'screen people from it' };
const waiver: DecisionOption = { value: 'waiver', hint: 'signed consent, attached' };
const decline: DecisionOption = { value: 'decline', hint: 'this cannot go on' };

/** A decision that stays in the tab until it is saved; changes during a save stay after it. */
function useDecision({ checkId, hit, onOpen, onSaved }: DecisionFormProps) {
  const box = useRef<HTMLFormElement>(null);
  const key = `decision-${checkId}-${hit.id}`;
  const [kept] = useState(() => readFromTab(key) as Partial<DecisionInputs> | null);
  const blank = { hitIds: [hit.id], reason: '', url: null, screened: [] };
  const isHidden = hit.severity === 'hidden';
  const saving = useSave<DecisionInputs, DecisionInputs>(
    null,
    { ...blank, ...kept, ...(isHidden && { decision: 'asked' as const }) },
    async (sent, idempotencyKey) => {
      const { url, screened, decision: chosen, ...choice } = sent;
      if (!chosen) return;
      const body = {
        ...choice,
        decision: chosen,
        ...(chosen === 'waiver' && { url }),
        ...(chosen === 'wall' && { screened }),
      };
      await decideHits({ params: { id: checkId }, body, idempotencyKey });
      const entered = { ...sent, ...(readFromTab(key) as Partial<DecisionInputs> | null) };
      if (JSON.stringify(entered) !== JSON.stringify(sent)) return;
      saveToTab(key, null);
      // The form disappears with the focus.
      if (box.current?.contains(document.activeElement)) box.current.closest('ul')?.focus();
      onSaved();
    },
  );
  const { form } = saving;
  const handleEntered = useEffectEvent((entered: unknown) => {
    saveToTab(key, entered);
    // The form that is open by itself, as the first without a decision, would close with someone else's decision.
    onOpen();
  });
  useEffect(() => {
    const changes = form.watch((entered) => handleEntered(entered));
    return () => changes.unsubscribe();
  }, [form]);
  return { ...saving, box };
}

/** Decides about a hit; what cannot be seen is decided by asking. */
function DecisionForm(props: DecisionFormProps) {
  const { hit, asked, canWall, waivers } = props;
  const isHidden = hit.severity === 'hidden';
  const [isQuestioned, setIsQuestioned] = useState(false);
  const { form, submit, isBusy, box } = useDecision(props);
  const decision = form.watch('decision');
  const { errors } = form.formState;
  const refused = (errors.reason ?? errors.decision ?? errors.hitIds)?.message;
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!decision) return form.setError('decision', { message: 'Please choose a decision' });
    const isCleared = hit.severity === 'direct' && decision === 'noConflict';
    // No question for what the server refuses anyway.
    if (isCleared && form.getValues('reason').trim() !== '') setIsQuestioned(true);
    else submit(event);
  };
  const ways = [noConflict, ...(canWall ? [wall] : []), waiver, decline];
  return (
    <form
      ref={box}
      noValidate
      aria-label="Decision"
      onSubmit={handleSubmit}
      className="mt-3 grid gap-3 rounded-card border border-line bg-surface p-3.5"
    >
      {isHidden ? (
        <p>{`${askInWords(hit.ask)}, then enter the answer.`}</p>
      ) : (
        <Ways
          hitId={hit.id}
          ways={ways}
          value={decision}
          onChange={(way) => {
            form.clearErrors('decision');
            form.setValue('decision', way);
          }}
        />
      )}
      {decision === 'waiver' && (
        <SelectField
          form={form}
          name="url"
          label="Waiver"
          hint={
            waivers.length === 0
              ? 'Add the signed waiver to the files of the matter first.'
              : undefined
          }
          placeholder="Select the signed waiver"
          options={waivers}
          nullable
        />
      )}
      {decision === 'wall' && (
        <ScreenedPeopleField form={form} fallback={<div className="h-14" />} />
      )}
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-52 grow">
          <TextInput
            aria-label={isHidden ? 'The answer' : 'Reason'}
            aria-invalid={errors.reason === undefined ? undefined : true}
            placeholder={isHidden ? 'The answer' : 'Reason'}
            autoComplete="off"
            maxLength={500}
            {...form.register('reason')}
          />
          {refused !== undefined && (
            <p role="alert" className="mt-1 text-note/[1.125rem] text-red">
              {refused}
            </p>
          )}
        </div>
        <Button type="submit" variant="primary" busy={isBusy}>
          Save decision
        </Button>
      </div>
      {isQuestioned && (
        <DirectQuestion
          hit={hit}
          asked={asked}
          onClose={() => setIsQuestioned(false)}
          onConfirm={() => {
            setIsQuestioned(false);
            submit();
          }}
        />
      )}
    </form>
  );
}

interface WaysProps {
  hitId: string;
  ways: readonly DecisionOption[];
  value: Decision | undefined;
  onChange: (decision: Decision) => void;
}

function Ways({ hitId, ways, value, onChange }: WaysProps) {
  return (
    <fieldset className="grid gap-x-4 gap-y-1.5 @min-[48rem]:grid-cols-2">
      <legend className="sr-only">Decision</legend>
      {ways.map((way) => (
        <label
          key={way.value}
          className="flex min-h-6 flex-wrap items-center gap-x-2 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={`decision ${hitId}`}
            checked={value === way.value}
            onChange={() => onChange(way.value)}
            className="size-4 flex-none accent-accent"
          />
          <span className="font-medium">{decisionNames[way.value]}</span>
          <span className="text-sm text-ink-2">{way.hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
