/** Returns the properties of a dialog that stays open while a request is pending, because closing it would not stop the request. */
export const closing = (isPending: boolean) => ({
  closeOnEscape: !isPending,
  closeOnClickOutside: !isPending,
  closeButtonProps: { disabled: isPending },
});
