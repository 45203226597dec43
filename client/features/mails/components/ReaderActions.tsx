import Ellipsis from 'lucide-react/icons/ellipsis';
import FolderInput from 'lucide-react/icons/folder-input';
import Forward from 'lucide-react/icons/forward';
import PencilLine from 'lucide-react/icons/pencil-line';
import Reply from 'lucide-react/icons/reply';
import ReplyAll from 'lucide-react/icons/reply-all';
import { lazy, Suspense, useState } from 'react';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { Button } from '../../../ui/Button.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import type { AnswerKind } from '../rules.writing.ts';

const FileToCase = lazy(async () => ({ default: (await import('./FileToCase.tsx')).FileToCase }));

interface ReaderActionsProps {
  mail: MailDetail;
  caseField: CaseField;
  onAnswer: (kind: AnswerKind) => void;
  onEditDraft: () => void;
}

export function ReaderActions(props: ReaderActionsProps) {
  const { mail, onAnswer, onEditDraft } = props;
  const [isFiling, setIsFiling] = useState(false);
  if (mail.draftId !== null) {
    return (
      <Button icon={PencilLine} onClick={onEditDraft}>
        Edit draft
      </Button>
    );
  }
  return (
    <>
      <Button icon={FolderInput} onClick={() => setIsFiling(true)}>
        File to case
      </Button>
      <Button icon={Reply} aria-keyshortcuts="r" onClick={() => onAnswer('reply')}>
        Reply
      </Button>
      <MenuButton
        label="More"
        icon={Ellipsis}
        heading="Answer"
        entries={[
          { label: 'Reply all', icon: ReplyAll, onSelect: () => onAnswer('replyAll') },
          { label: 'Forward', icon: Forward, onSelect: () => onAnswer('forward') },
        ]}
      />
      <Suspense>
        {isFiling && (
          <FileToCase mail={mail} caseField={props.caseField} onClose={() => setIsFiling(false)} />
        )}
      </Suspense>
    </>
  );
}
