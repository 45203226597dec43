import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type {
  TemplateInput,
  DocumentsDryRun,
  NewDocuments,
} from '@matterdesk/contract/templates.ts';
import { CallError } from '../../../api.ts';
import { tryDocuments } from '../api.ts';

/** Milliseconds after the last key until the first page is made again. */
const TYPING_PAUSE_MS = 300;

type Draft = Pick<NewDocuments, 'template' | 'answers' | 'for' | 'folder'>;
const EMPTY: Draft = { template: '', answers: {}, for: [], folder: 'Documents' };

/**
 * The dialog's knowledge of the documents to be made, tried on the server as it is typed.
 * @param first id of the template that is chosen first
 */
export function useNewDocument(caseId: string, first: string) {
  const [draft, setDraft] = useState({ ...EMPTY, template: first });
  const [preview, setPreview] = useState(0);
  const tried = useTrial(caseId, draft, preview);
  const asked = useAsked(draft, tried.result);
  const change = useCallback(
    (patch: Partial<Draft>) => setDraft((before) => ({ ...before, ...patch })),
    [],
  );
  const answer = useCallback(
    (path: string, text: string) =>
      setDraft((before) => ({ ...before, answers: { ...before.answers, [path]: text } })),
    [],
  );
  return { draft, change, answer, preview, setPreview, asked, ...tried };
}

const NONE: readonly TemplateInput[] = [];

/** Empty fields and questions, with those that were answered here and are therefore not empty any more. */
function useAsked(
  { template, answers }: Draft,
  result: DocumentsDryRun | null,
): readonly TemplateInput[] {
  const [seen, setSeen] = useState({ template: '', of: NONE, result });
  if (result && (seen.result !== result || seen.template !== template)) {
    const before = seen.template === template ? seen.of : NONE;
    const kept = before.filter(
      (one) =>
        answers[one.path] !== undefined && !result.missing.some(({ path }) => path === one.path),
    );
    // In the order in which they were first asked, so that no row moves while it is filled.
    const order = new Map(before.map(({ path }, at) => [path, at]));
    const placed = ({ path }: TemplateInput) => order.get(path) ?? Infinity;
    const of = [...kept, ...result.missing].toSorted((a, b) => compare(placed(a), placed(b)));
    setSeen({ template, of, result });
  }
  return seen.template === template ? seen.of : NONE;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

type PreviewState = { of: string; result: DocumentsDryRun | null; failure: string | null };

/** The last trial stays on the screen while the next one runs. */
function useTrial(caseId: string, draft: Draft, preview: number) {
  const [trial, setTrial] = useState<PreviewState | null>(null);
  const [attempt, setAttempt] = useState(0);
  const last = useRef('');
  const body = useMemo(() => {
    const answers = Object.fromEntries(
      Object.entries(draft.answers).filter(([, text]) => text.trim() !== ''),
    );
    return { ...draft, answers, pdf: false, allowMissing: true };
  }, [draft]);
  // Another attempt at the same.
  const asked = useMemo(() => ({ body, attempt }), [body, attempt]);
  const { template } = draft;
  useEffect(() => {
    if (template === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const run = async () => {
      try {
        const result = await tryDocuments(caseId, asked.body, { preview, signal });
        setTrial({ of: template, result, failure: null });
      } catch (error) {
        if (!(error instanceof CallError)) return;
        const { message } = error;
        setTrial((before) => ({
          of: template,
          result: before?.of === template ? before.result : null,
          failure: message,
        }));
      }
    };
    // Another template is tried at once, typed text only after a pause.
    const isOther = last.current !== template;
    last.current = template;
    const timer = setTimeout(() => void run(), isOther ? 0 : TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [caseId, asked, template, preview]);
  const isOfThis = trial?.of === template;
  return {
    body,
    result: isOfThis ? trial.result : null,
    failure: isOfThis ? trial.failure : null,
    retry: () => setAttempt((n) => n + 1),
  };
}
