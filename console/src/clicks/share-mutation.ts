/** Names the mutation for the dialog around the form. */
export const shareMutation = ['created-share'];
