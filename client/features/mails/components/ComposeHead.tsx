import Maximize2 from 'lucide-react/icons/maximize-2';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import { IconButton } from '../../../ui/IconButton.tsx';

interface ComposeHeadProps {
  titleId: string;
  title: string;
  isSmall: boolean;
  onMinimize: () => void;
  onClose: () => void;
}

export function ComposeHead({ titleId, title, isSmall, onMinimize, onClose }: ComposeHeadProps) {
  return (
    <div className="flex h-11 flex-none items-center gap-1 border-b border-line pr-1.5 pl-3">
      <h2 id={titleId} className="min-w-0 grow truncate font-semibold">
        <bdi>{title}</bdi>
      </h2>
      <IconButton
        label={isSmall ? 'Restore mail' : 'Minimize mail'}
        icon={isSmall ? Maximize2 : Minus}
        variant="quiet"
        size="small"
        aria-expanded={!isSmall}
        onClick={onMinimize}
      />
      <IconButton label="Close mail" icon={X} variant="quiet" size="small" onClick={onClose} />
    </div>
  );
}
