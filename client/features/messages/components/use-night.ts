import { useState } from 'react';

/** Sends a text, but asks first at night: `question` says why, `confirm` sends and asks no more this night. */
export function useNight(number: string, send: () => Promise<void>) {
  const [question, setQuestion] = useState<string | null>(null);
  const submit = async (text: string) => {
    const words = text.trim() === '' ? null : await wordsNow(number);
    if (words === null) await send();
    else setQuestion(words);
  };
  const confirm = async () => {
    setQuestion(null);
    const { acceptNight } = await load();
    acceptNight(number, new Date());
    await send();
  };
  return { question, submit, confirm, drop: () => setQuestion(null) };
}

// With its table of time zones, which only a text that is written needs.
const load = () => import('../rules.night.ts');

/** A table that could not be loaded keeps no text back. */
async function wordsNow(number: string): Promise<string | null> {
  const night = await load().catch(() => null);
  return night?.nightWords(number, new Date()) ?? null;
}
