import type { Rule } from '@matterdesk/contract/court-rules.ts';
import type { NewTrigger } from '@matterdesk/contract/proposals.ts';
import { type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import type { Option } from '../../../ui/option.ts';
import { applyRule } from '../api.ts';

/** What the steps count from, if it is known. */
export type Preset = { title: string; date: string; sent: NewTrigger };

interface ApplicationOptions {
  matter: Option | null;
  preset: Preset | null;
  ownerId: string;
  rules: readonly Rule[];
  onDone: () => void;
}

const blank = { rule: '', title: '', date: '', service: '', second: '' };

/** The form that applies a rule. */
export function useApplication({ preset, rules, onDone, ...options }: ApplicationOptions) {
  const [matter, setMatter] = useState(options.matter);
  const [entered, setEntered] = useState({ ...blank, owner: options.ownerId });
  /** Places of the steps that are not wanted. */
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const withKey = useClickKey();
  const rule = rules.find(({ id }) => id === entered.rule);
  const { owner, second, title } = entered;
  const date = preset?.date ?? entered.date;
  const service = entered.service === '' ? undefined : Number(entered.service);
  const apply = async () => {
    const body = {
      case: matter?.id ?? '',
      rule: entered.rule,
      steps: rule?.steps.map((_, place) => place).filter((place) => !left.has(place)),
      trigger: preset?.sent ?? { title: title || (rule?.trigger ?? ''), date },
      ...(service !== undefined && { service }),
      owner,
      second: second || null,
    };
    setIsBusy(true);
    try {
      await withKey(body, (key) => applyRule(body, key));
      onDone();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setErrors(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    matter,
    setMatter,
    rule,
    date,
    service,
    left,
    errors,
    isBusy,
    set: (name: keyof typeof entered) => ({
      value: entered[name],
      onChange: ({ target }: { target: { value: string } }) =>
        setEntered((before) => ({ ...before, [name]: target.value })),
    }),
    toggle: (place: number) =>
      setLeft((before) => {
        const others = [...before].filter((other) => other !== place);
        return new Set(before.has(place) ? others : [...others, place]);
      }),
    submit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      void apply();
    },
  };
}
