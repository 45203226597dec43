import type { ReactNode } from 'react';

interface CtrlEnterProps {
  onPress: () => void;
  className?: string;
  children: ReactNode;
}

/** Fields in which Ctrl+Enter, or ⌘+Enter, does what the button of their dialog does. */
export function CtrlEnter({ onPress, className, children }: CtrlEnterProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the fields within it
    <div
      className={className}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        // React also bubbles keys from dialogs that are opened within, outside of it in the document.
        if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
        event.preventDefault();
        if (!event.repeat) onPress();
      }}
    >
      {children}
    </div>
  );
}
