"""Reading rule text: tokens, drafts, declarations, and what names turn out to mean."""
