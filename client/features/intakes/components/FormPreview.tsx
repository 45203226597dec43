import { type Asked, fresh, renderForm } from '@matterdesk/contract/intake-form-page.ts';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useFirm } from '../../../core/use-firm.ts';
import { SandboxFrame } from '../../../ui/SandboxFrame.tsx';
import { type FormInputs, toBody } from '../rules.forms.ts';

/** The page of a form as strangers will see it: the same renderer, in a frame that sends nothing. */
export function FormPreview({ form }: { form: UseFormReturn<FormInputs> }) {
  const [page, setPage] = useState<Document | null>(null);
  const firm = useFirm().data?.name ?? '';
  // Half a form is shown as far as it goes.
  const asked = toBody(form.watch()) as Asked;
  const { style, body } = renderForm({ ...fresh, form: asked, firm, stamp: '', source: '' });
  useEffect(() => {
    if (page) fill(page, style, body);
  }, [page, style, body]);
  return (
    <SandboxFrame
      title="Preview"
      onReady={setPage}
      className="block h-[min(64dvh,44rem)] w-full rounded-card border border-line"
    />
  );
}

function fill(page: Document, style: string, body: string) {
  const sheet = page.createElement('style');
  sheet.textContent = style;
  page.head.replaceChildren(sheet);
  const parsed = new DOMParser().parseFromString(body, 'text/html');
  page.body.replaceChildren(...parsed.body.childNodes);
}
