import Paperclip from 'lucide-react/icons/paperclip';
import type { MailAttachment } from '@matterdesk/contract/mails.ts';
import { sizeInWords } from '../../../ui/size-in-words.ts';

export function AttachmentLinks({ attachments }: { attachments: readonly MailAttachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <section aria-label="Attachments" className="mt-6">
      <ul className="flex flex-wrap gap-2">
        {attachments.map(({ url, name, size }) => (
          <li key={url} className="min-w-0">
            <a
              href={`${url}?download=1`}
              download={name}
              className="flex h-[34px] max-w-full items-center gap-2 rounded-control border border-line-strong bg-surface px-2.5 hover:bg-hover pointer-coarse:h-11"
            >
              <Paperclip className="text-ink-2" />
              <bdi className="min-w-0 truncate">{name || 'attachment'}</bdi>
              <span className="flex-none text-sm text-ink-3 tabular-nums">{sizeInWords(size)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
