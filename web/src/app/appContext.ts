// What there is one of while the page is open: mount.ts makes it, App.svelte gives it to all components, which find it
// with `getApp`. Nothing of it listens to the browser before it is made.

import { createContext } from "svelte";
import type { RuleComparison, RuleContents, RuleEntry, RuleHits } from "../generated/protocol";
import { AnswerCache } from "../net/answerCache";
import { TableCreator } from "../net/rest/tableCreator";
import type { I18n } from "../words/i18n.svelte";
import { Announcer } from "./announcer.svelte";
import { Appearance } from "./appearance";
import { DrawingKit } from "./drawingKit.svelte";
import { FocusTrail } from "./focusTrail";
import { Media } from "./media";
import { AlmanacBeside } from "./navigation/almanacBeside.svelte";
import { Router } from "./navigation/router.svelte";
import { PublicOrigin } from "./publicOrigin.svelte";
import { Keymap } from "./storage/keymap.svelte";
import { keptSettings } from "./storage/settings.svelte";
import { TutorialProgress } from "./storage/tutorialProgress.svelte";

export class AppContext {
  readonly announcer = new Announcer();
  readonly focusTrail = new FocusTrail();
  readonly publicOrigin = new PublicOrigin();
  readonly tableCreator = new TableCreator();
  /** What the almanac has told. */
  readonly almanac = {
    contents: new AnswerCache<RuleContents>(),
    entries: new AnswerCache<RuleEntry>(),
    searches: new AnswerCache<RuleHits>(),
    comparisons: new AnswerCache<RuleComparison>(),
  };
  readonly tutorialProgress = new TutorialProgress();
  readonly media = new Media();
  readonly settings = keptSettings();
  readonly appearance = new Appearance(this.settings);
  readonly kit = new DrawingKit(this.appearance);
  readonly keymap = new Keymap(this.settings, this.media.keysFit);
  readonly almanacBeside = new AlmanacBeside();
  readonly router = new Router(this.almanacBeside);

  constructor(readonly i18n: I18n) {}
}

export const [getApp, setApp] = createContext<AppContext>();
