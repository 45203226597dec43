import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../ui/Button.tsx';
import { CtrlEnter } from '../ui/CtrlEnter.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog, DialogClose } from '../ui/Dialog.tsx';
import type { FormSave } from './form.ts';

interface FormDialogProps<Input extends FieldValues, Output> {
  saving: FormSave<Input, Output>;
  title: string;
  subtitle?: string | undefined;
  /** The submit button's label, such as 'Add deadline'. */
  submit: string;
  onClose: () => void;
  size?: 'small' | 'medium' | 'large' | 'wide';
  /** Other buttons, beside 'Close'. */
  actions?: ReactNode;
  /** Whether there is nothing yet that could be saved. */
  disabled?: boolean;
  /** Stretches the fields over two columns from a tablet up; a field with `wide` takes both. */
  children: ReactNode;
}

/** A dialog that is one form: its fields in two columns, 'Close', and the button that saves. */
export function FormDialog<Input extends FieldValues, Output>(
  props: FormDialogProps<Input, Output>,
) {
  const { saving, title, subtitle, submit, onClose, size, actions, disabled, children } = props;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      {...(size !== undefined && { size })}
      {...(subtitle !== undefined && { subtitle })}
      isDirty={saving.form.formState.isDirty}
      onSubmit={saving.submit}
      footer={
        <>
          <span className="flex gap-2">
            <DialogClose />
            {actions}
          </span>
          <Button type="submit" variant="primary" busy={saving.isBusy} disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      <CtrlEnter
        onPress={() => {
          if (!saving.isBusy && disabled !== true) saving.submit();
        }}
        className={cx('grid gap-4', size !== 'small' && 'sm:grid-cols-2')}
      >
        {children}
      </CtrlEnter>
    </Dialog>
  );
}
