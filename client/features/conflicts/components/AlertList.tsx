import type { Alert, Decision } from '@matterdesk/contract/conflicts.ts';
import { lazy, type SubmitEvent, Suspense, useRef, useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { Pending } from '../../../core/Pending.tsx';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { decideAlert } from '../api.ts';
import { askInWords, decisionNames, roleOf, stateOf } from '../rules.ts';
import { SeverityMark } from './SeverityMark.tsx';
import { waitingAlerts } from '../slice.ts';

const DirectQuestion = lazy(async () => ({
  default: (await import('./DirectQuestion.tsx')).DirectQuestion,
}));

/** New names that match others and wait for a decision; nothing without any. */
export function AlertList() {
  const { data, failure, status, refresh } = useResource(waitingAlerts, 'waiting');
  const [openId, setOpenId] = useState<string>();
  const mayDecide = useAppSelector(({ user }) => user.current?.permissions.clearConflicts === true);
  if (!data && failure)
    return (
      <Pending of={{ failure, status, refresh }} what="the names that wait for a decision" isPart />
    );
  if (!data) return <div data-waiting className="peer" />;
  if (data.length === 0) return null;
  return (
    <section aria-label="New names that match others" tabIndex={-1} className="mb-6 outline-none">
      <h2 className="mb-2 text-heading font-semibold">
        New names that match others
        <span className="ml-2 font-normal text-ink-3 tabular-nums">{data.length}</span>
      </h2>
      <ul className="border-t border-line sm:max-h-96 sm:overflow-y-auto">
        {data.map((alert) => (
          <AlertLine
            key={alert.id}
            alert={alert}
            mayDecide={mayDecide}
            isOpen={alert.id === openId}
            onOpen={() => setOpenId(alert.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface AlertLineProps {
  alert: Alert;
  mayDecide: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

function placeOf({ asked, subject }: Alert): string {
  if (!subject) return 'new';
  if (subject.kind === 'cases') return `new in ${subject.name}`;
  return subject.name === asked.name ? 'a new intake' : `new in the intake of ${subject.name}`;
}

function AlertLine({ alert, mayDecide, isOpen, onOpen }: AlertLineProps) {
  const { asked, hit } = alert;
  const place = `${asked.name}, ${placeOf(alert)}`;
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-3 sm:grid-cols-[7.25rem_minmax(0,1fr)_auto]">
      <span>
        <SeverityMark severity={hit.severity} />
      </span>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{place}</p>
        {hit.severity === 'hidden' ? (
          <p className="text-sm text-ink-2">
            {`Meets a name in a matter that you do not see. ${askInWords(hit.ask)}.`}
          </p>
        ) : (
          <p className="text-sm text-ink-2 wrap-anywhere">
            {`Meets ${hit.found.name}, ${roleOf(hit.found).toLowerCase()}${
              hit.found.case ? ` in ${hit.found.case.caseName}, ${stateOf(hit.found)}` : ''
            }: ${hit.reason}`}
          </p>
        )}
        {mayDecide && isOpen && <AlertForm alert={alert} />}
      </div>
      {mayDecide && !isOpen && (
        <Button
          size="small"
          className="justify-self-start max-sm:col-start-1"
          aria-label={`Decide about ${asked.name}`}
          onClick={onOpen}
        >
          Decide
        </Button>
      )}
    </li>
  );
}

const choices: Decision[] = ['noConflict', 'decline'];

function AlertForm({ alert: { id, hit, asked } }: { alert: Alert }) {
  const isHidden = hit.severity === 'hidden';
  const list = useRef<HTMLElement>(null);
  const [isQuestioned, setIsQuestioned] = useState(false);
  const [decision, setDecision] = useState<Decision | ''>(isHidden ? 'asked' : '');
  const [reason, setReason] = useState('');
  const { isBusy, attempt } = useAttempt();
  const save = () => {
    if (decision === '') return;
    const body = { decision, reason };
    void attempt(body, async () => {
      await decideAlert({ params: { id }, body });
      // The form disappears with its alert.
      list.current?.focus();
    });
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    list.current = event.currentTarget.closest('section');
    if (hit.severity === 'direct' && decision === 'noConflict') setIsQuestioned(true);
    else save();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className="mt-2 flex flex-wrap gap-2">
      {!isHidden && (
        <Select
          aria-label="Decision about the alert"
          className="w-40"
          placeholder="Decision"
          options={choices.map((value) => ({ value, label: decisionNames[value] }))}
          value={decision}
          onChange={({ target }) => setDecision(target.value as Decision | '')}
        />
      )}
      <TextInput
        aria-label={isHidden ? 'The answer' : 'Reason of the decision'}
        placeholder={isHidden ? 'The answer' : 'Reason'}
        className="max-w-96 min-w-40 flex-1"
        autoComplete="off"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button type="submit" busy={isBusy} disabled={decision === '' || reason.trim() === ''}>
        Save
      </Button>
      {isQuestioned && (
        <Suspense>
          <DirectQuestion
            hit={hit}
            asked={asked.name}
            onClose={() => setIsQuestioned(false)}
            onConfirm={() => {
              setIsQuestioned(false);
              save();
            }}
          />
        </Suspense>
      )}
    </form>
  );
}
