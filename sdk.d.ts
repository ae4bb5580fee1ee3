/**
 * What a patched SDK has in addition. Include it once, anywhere in a project's types:
 *
 *     /// <reference types="holdopen/sdk" />
 */
import '@anthropic-ai/claude-agent-sdk';

declare module '@anthropic-ai/claude-agent-sdk' {
  interface Query {
    /**
     * Holds the CLI's input open until the returned function is called, whatever is outstanding, and without a ceiling.
     * Closing or aborting the query ends the hold. On an unpatched SDK the method does not exist.
     */
    holdInput(): () => void;
  }
}
