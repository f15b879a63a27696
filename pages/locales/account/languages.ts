/* Generated from the language folders here by `npm run generate`. */
import type { Texts } from '../languages.ts';
import { withPageTitles } from './page-titles.ts';
import ar_acquirers from './ar/acquirers.json' with { type: 'json' };
import ar_audit_log from './ar/audit-log.json' with { type: 'json' };
import ar_branding from './ar/branding.json' with { type: 'json' };
import ar_crypto from './ar/crypto.json' with { type: 'json' };
import ar_email from './ar/email.json' with { type: 'json' };
import ar_integration from './ar/integration.json' with { type: 'json' };
import ar_join from './ar/join.json' with { type: 'json' };
import ar_mails from './ar/mails.json' with { type: 'json' };
import ar_me from './ar/me.json' with { type: 'json' };
import ar_merchants from './ar/merchants.json' with { type: 'json' };
import ar_new_link from './ar/new-link.json' with { type: 'json' };
import ar_overview from './ar/overview.json' with { type: 'json' };
import ar_reusable_links from './ar/reusable-links.json' with { type: 'json' };
import ar_reviews from './ar/reviews.json' with { type: 'json' };
import ar_send_link from './ar/send-link.json' with { type: 'json' };
import ar_settings from './ar/settings.json' with { type: 'json' };
import ar_shell from './ar/shell.json' with { type: 'json' };
import ar_sign_in from './ar/sign-in.json' with { type: 'json' };
import ar_statuses from './ar/statuses.json' with { type: 'json' };
import ar_team from './ar/team.json' with { type: 'json' };
import ar_transactions from './ar/transactions.json' with { type: 'json' };
import ar_webhooks from './ar/webhooks.json' with { type: 'json' };
import de_acquirers from './de/acquirers.json' with { type: 'json' };
import de_audit_log from './de/audit-log.json' with { type: 'json' };
import de_branding from './de/branding.json' with { type: 'json' };
import de_crypto from './de/crypto.json' with { type: 'json' };
import de_email from './de/email.json' with { type: 'json' };
import de_integration from './de/integration.json' with { type: 'json' };
import de_join from './de/join.json' with { type: 'json' };
import de_mails from './de/mails.json' with { type: 'json' };
import de_me from './de/me.json' with { type: 'json' };
import de_merchants from './de/merchants.json' with { type: 'json' };
import de_new_link from './de/new-link.json' with { type: 'json' };
import de_overview from './de/overview.json' with { type: 'json' };
import de_reusable_links from './de/reusable-links.json' with { type: 'json' };
import de_reviews from './de/reviews.json' with { type: 'json' };
import de_send_link from './de/send-link.json' with { type: 'json' };
import de_settings from './de/settings.json' with { type: 'json' };
import de_shell from './de/shell.json' with { type: 'json' };
import de_sign_in from './de/sign-in.json' with { type: 'json' };
import de_statuses from './de/statuses.json' with { type: 'json' };
import de_team from './de/team.json' with { type: 'json' };
import de_transactions from './de/transactions.json' with { type: 'json' };
import de_webhooks from './de/webhooks.json' with { type: 'json' };
import en_acquirers from './en/acquirers.json' with { type: 'json' };
import en_audit_log from './en/audit-log.json' with { type: 'json' };
import en_branding from './en/branding.json' with { type: 'json' };
import en_crypto from './en/crypto.json' with { type: 'json' };
import en_email from './en/email.json' with { type: 'json' };
import en_integration from './en/integration.json' with { type: 'json' };
import en_join from './en/join.json' with { type: 'json' };
import en_mails from './en/mails.json' with { type: 'json' };
import en_me from './en/me.json' with { type: 'json' };
import en_merchants from './en/merchants.json' with { type: 'json' };
import en_new_link from './en/new-link.json' with { type: 'json' };
import en_overview from './en/overview.json' with { type: 'json' };
import en_reusable_links from './en/reusable-links.json' with { type: 'json' };
import en_reviews from './en/reviews.json' with { type: 'json' };
import en_send_link from './en/send-link.json' with { type: 'json' };
import en_settings from './en/settings.json' with { type: 'json' };
import en_shell from './en/shell.json' with { type: 'json' };
import en_sign_in from './en/sign-in.json' with { type: 'json' };
import en_statuses from './en/statuses.json' with { type: 'json' };
import en_team from './en/team.json' with { type: 'json' };
import en_transactions from './en/transactions.json' with { type: 'json' };
import en_webhooks from './en/webhooks.json' with { type: 'json' };
import es_acquirers from './es/acquirers.json' with { type: 'json' };
import es_audit_log from './es/audit-log.json' with { type: 'json' };
import es_branding from './es/branding.json' with { type: 'json' };
import es_crypto from './es/crypto.json' with { type: 'json' };
import es_email from './es/email.json' with { type: 'json' };
import es_integration from './es/integration.json' with { type: 'json' };
import es_join from './es/join.json' with { type: 'json' };
import es_mails from './es/mails.json' with { type: 'json' };
import es_me from './es/me.json' with { type: 'json' };
import es_merchants from './es/merchants.json' with { type: 'json' };
import es_new_link from './es/new-link.json' with { type: 'json' };
import es_overview from './es/overview.json' with { type: 'json' };
import es_reusable_links from './es/reusable-links.json' with { type: 'json' };
import es_reviews from './es/reviews.json' with { type: 'json' };
import es_send_link from './es/send-link.json' with { type: 'json' };
import es_settings from './es/settings.json' with { type: 'json' };
import es_shell from './es/shell.json' with { type: 'json' };
import es_sign_in from './es/sign-in.json' with { type: 'json' };
import es_statuses from './es/statuses.json' with { type: 'json' };
import es_team from './es/team.json' with { type: 'json' };
import es_transactions from './es/transactions.json' with { type: 'json' };
import es_webhooks from './es/webhooks.json' with { type: 'json' };
import fr_acquirers from './fr/acquirers.json' with { type: 'json' };
import fr_audit_log from './fr/audit-log.json' with { type: 'json' };
import fr_branding from './fr/branding.json' with { type: 'json' };
import fr_crypto from './fr/crypto.json' with { type: 'json' };
import fr_email from './fr/email.json' with { type: 'json' };
import fr_integration from './fr/integration.json' with { type: 'json' };
import fr_join from './fr/join.json' with { type: 'json' };
import fr_mails from './fr/mails.json' with { type: 'json' };
import fr_me from './fr/me.json' with { type: 'json' };
import fr_merchants from './fr/merchants.json' with { type: 'json' };
import fr_new_link from './fr/new-link.json' with { type: 'json' };
import fr_overview from './fr/overview.json' with { type: 'json' };
import fr_reusable_links from './fr/reusable-links.json' with { type: 'json' };
import fr_reviews from './fr/reviews.json' with { type: 'json' };
import fr_send_link from './fr/send-link.json' with { type: 'json' };
import fr_settings from './fr/settings.json' with { type: 'json' };
import fr_shell from './fr/shell.json' with { type: 'json' };
import fr_sign_in from './fr/sign-in.json' with { type: 'json' };
import fr_statuses from './fr/statuses.json' with { type: 'json' };
import fr_team from './fr/team.json' with { type: 'json' };
import fr_transactions from './fr/transactions.json' with { type: 'json' };
import fr_webhooks from './fr/webhooks.json' with { type: 'json' };
import hi_acquirers from './hi/acquirers.json' with { type: 'json' };
import hi_audit_log from './hi/audit-log.json' with { type: 'json' };
import hi_branding from './hi/branding.json' with { type: 'json' };
import hi_crypto from './hi/crypto.json' with { type: 'json' };
import hi_email from './hi/email.json' with { type: 'json' };
import hi_integration from './hi/integration.json' with { type: 'json' };
import hi_join from './hi/join.json' with { type: 'json' };
import hi_mails from './hi/mails.json' with { type: 'json' };
import hi_me from './hi/me.json' with { type: 'json' };
import hi_merchants from './hi/merchants.json' with { type: 'json' };
import hi_new_link from './hi/new-link.json' with { type: 'json' };
import hi_overview from './hi/overview.json' with { type: 'json' };
import hi_reusable_links from './hi/reusable-links.json' with { type: 'json' };
import hi_reviews from './hi/reviews.json' with { type: 'json' };
import hi_send_link from './hi/send-link.json' with { type: 'json' };
import hi_settings from './hi/settings.json' with { type: 'json' };
import hi_shell from './hi/shell.json' with { type: 'json' };
import hi_sign_in from './hi/sign-in.json' with { type: 'json' };
import hi_statuses from './hi/statuses.json' with { type: 'json' };
import hi_team from './hi/team.json' with { type: 'json' };
import hi_transactions from './hi/transactions.json' with { type: 'json' };
import hi_webhooks from './hi/webhooks.json' with { type: 'json' };
import id_acquirers from './id/acquirers.json' with { type: 'json' };
import id_audit_log from './id/audit-log.json' with { type: 'json' };
import id_branding from './id/branding.json' with { type: 'json' };
import id_crypto from './id/crypto.json' with { type: 'json' };
import id_email from './id/email.json' with { type: 'json' };
import id_integration from './id/integration.json' with { type: 'json' };
import id_join from './id/join.json' with { type: 'json' };
import id_mails from './id/mails.json' with { type: 'json' };
import id_me from './id/me.json' with { type: 'json' };
import id_merchants from './id/merchants.json' with { type: 'json' };
import id_new_link from './id/new-link.json' with { type: 'json' };
import id_overview from './id/overview.json' with { type: 'json' };
import id_reusable_links from './id/reusable-links.json' with { type: 'json' };
import id_reviews from './id/reviews.json' with { type: 'json' };
import id_send_link from './id/send-link.json' with { type: 'json' };
import id_settings from './id/settings.json' with { type: 'json' };
import id_shell from './id/shell.json' with { type: 'json' };
import id_sign_in from './id/sign-in.json' with { type: 'json' };
import id_statuses from './id/statuses.json' with { type: 'json' };
import id_team from './id/team.json' with { type: 'json' };
import id_transactions from './id/transactions.json' with { type: 'json' };
import id_webhooks from './id/webhooks.json' with { type: 'json' };
import ja_acquirers from './ja/acquirers.json' with { type: 'json' };
import ja_audit_log from './ja/audit-log.json' with { type: 'json' };
import ja_branding from './ja/branding.json' with { type: 'json' };
import ja_crypto from './ja/crypto.json' with { type: 'json' };
import ja_email from './ja/email.json' with { type: 'json' };
import ja_integration from './ja/integration.json' with { type: 'json' };
import ja_join from './ja/join.json' with { type: 'json' };
import ja_mails from './ja/mails.json' with { type: 'json' };
import ja_me from './ja/me.json' with { type: 'json' };
import ja_merchants from './ja/merchants.json' with { type: 'json' };
import ja_new_link from './ja/new-link.json' with { type: 'json' };
import ja_overview from './ja/overview.json' with { type: 'json' };
import ja_reusable_links from './ja/reusable-links.json' with { type: 'json' };
import ja_reviews from './ja/reviews.json' with { type: 'json' };
import ja_send_link from './ja/send-link.json' with { type: 'json' };
import ja_settings from './ja/settings.json' with { type: 'json' };
import ja_shell from './ja/shell.json' with { type: 'json' };
import ja_sign_in from './ja/sign-in.json' with { type: 'json' };
import ja_statuses from './ja/statuses.json' with { type: 'json' };
import ja_team from './ja/team.json' with { type: 'json' };
import ja_transactions from './ja/transactions.json' with { type: 'json' };
import ja_webhooks from './ja/webhooks.json' with { type: 'json' };
import pt_acquirers from './pt/acquirers.json' with { type: 'json' };
import pt_audit_log from './pt/audit-log.json' with { type: 'json' };
import pt_branding from './pt/branding.json' with { type: 'json' };
import pt_crypto from './pt/crypto.json' with { type: 'json' };
import pt_email from './pt/email.json' with { type: 'json' };
import pt_integration from './pt/integration.json' with { type: 'json' };
import pt_join from './pt/join.json' with { type: 'json' };
import pt_mails from './pt/mails.json' with { type: 'json' };
import pt_me from './pt/me.json' with { type: 'json' };
import pt_merchants from './pt/merchants.json' with { type: 'json' };
import pt_new_link from './pt/new-link.json' with { type: 'json' };
import pt_overview from './pt/overview.json' with { type: 'json' };
import pt_reusable_links from './pt/reusable-links.json' with { type: 'json' };
import pt_reviews from './pt/reviews.json' with { type: 'json' };
import pt_send_link from './pt/send-link.json' with { type: 'json' };
import pt_settings from './pt/settings.json' with { type: 'json' };
import pt_shell from './pt/shell.json' with { type: 'json' };
import pt_sign_in from './pt/sign-in.json' with { type: 'json' };
import pt_statuses from './pt/statuses.json' with { type: 'json' };
import pt_team from './pt/team.json' with { type: 'json' };
import pt_transactions from './pt/transactions.json' with { type: 'json' };
import pt_webhooks from './pt/webhooks.json' with { type: 'json' };
import th_acquirers from './th/acquirers.json' with { type: 'json' };
import th_audit_log from './th/audit-log.json' with { type: 'json' };
import th_branding from './th/branding.json' with { type: 'json' };
import th_crypto from './th/crypto.json' with { type: 'json' };
import th_email from './th/email.json' with { type: 'json' };
import th_integration from './th/integration.json' with { type: 'json' };
import th_join from './th/join.json' with { type: 'json' };
import th_mails from './th/mails.json' with { type: 'json' };
import th_me from './th/me.json' with { type: 'json' };
import th_merchants from './th/merchants.json' with { type: 'json' };
import th_new_link from './th/new-link.json' with { type: 'json' };
import th_overview from './th/overview.json' with { type: 'json' };
import th_reusable_links from './th/reusable-links.json' with { type: 'json' };
import th_reviews from './th/reviews.json' with { type: 'json' };
import th_send_link from './th/send-link.json' with { type: 'json' };
import th_settings from './th/settings.json' with { type: 'json' };
import th_shell from './th/shell.json' with { type: 'json' };
import th_sign_in from './th/sign-in.json' with { type: 'json' };
import th_statuses from './th/statuses.json' with { type: 'json' };
import th_team from './th/team.json' with { type: 'json' };
import th_transactions from './th/transactions.json' with { type: 'json' };
import th_webhooks from './th/webhooks.json' with { type: 'json' };
import vi_acquirers from './vi/acquirers.json' with { type: 'json' };
import vi_audit_log from './vi/audit-log.json' with { type: 'json' };
import vi_branding from './vi/branding.json' with { type: 'json' };
import vi_crypto from './vi/crypto.json' with { type: 'json' };
import vi_email from './vi/email.json' with { type: 'json' };
import vi_integration from './vi/integration.json' with { type: 'json' };
import vi_join from './vi/join.json' with { type: 'json' };
import vi_mails from './vi/mails.json' with { type: 'json' };
import vi_me from './vi/me.json' with { type: 'json' };
import vi_merchants from './vi/merchants.json' with { type: 'json' };
import vi_new_link from './vi/new-link.json' with { type: 'json' };
import vi_overview from './vi/overview.json' with { type: 'json' };
import vi_reusable_links from './vi/reusable-links.json' with { type: 'json' };
import vi_reviews from './vi/reviews.json' with { type: 'json' };
import vi_send_link from './vi/send-link.json' with { type: 'json' };
import vi_settings from './vi/settings.json' with { type: 'json' };
import vi_shell from './vi/shell.json' with { type: 'json' };
import vi_sign_in from './vi/sign-in.json' with { type: 'json' };
import vi_statuses from './vi/statuses.json' with { type: 'json' };
import vi_team from './vi/team.json' with { type: 'json' };
import vi_transactions from './vi/transactions.json' with { type: 'json' };
import vi_webhooks from './vi/webhooks.json' with { type: 'json' };
import zh_Hans_acquirers from './zh-Hans/acquirers.json' with { type: 'json' };
import zh_Hans_audit_log from './zh-Hans/audit-log.json' with { type: 'json' };
import zh_Hans_branding from './zh-Hans/branding.json' with { type: 'json' };
import zh_Hans_crypto from './zh-Hans/crypto.json' with { type: 'json' };
import zh_Hans_email from './zh-Hans/email.json' with { type: 'json' };
import zh_Hans_integration from './zh-Hans/integration.json' with { type: 'json' };
import zh_Hans_join from './zh-Hans/join.json' with { type: 'json' };
import zh_Hans_mails from './zh-Hans/mails.json' with { type: 'json' };
import zh_Hans_me from './zh-Hans/me.json' with { type: 'json' };
import zh_Hans_merchants from './zh-Hans/merchants.json' with { type: 'json' };
import zh_Hans_new_link from './zh-Hans/new-link.json' with { type: 'json' };
import zh_Hans_overview from './zh-Hans/overview.json' with { type: 'json' };
import zh_Hans_reusable_links from './zh-Hans/reusable-links.json' with { type: 'json' };
import zh_Hans_reviews from './zh-Hans/reviews.json' with { type: 'json' };
import zh_Hans_send_link from './zh-Hans/send-link.json' with { type: 'json' };
import zh_Hans_settings from './zh-Hans/settings.json' with { type: 'json' };
import zh_Hans_shell from './zh-Hans/shell.json' with { type: 'json' };
import zh_Hans_sign_in from './zh-Hans/sign-in.json' with { type: 'json' };
import zh_Hans_statuses from './zh-Hans/statuses.json' with { type: 'json' };
import zh_Hans_team from './zh-Hans/team.json' with { type: 'json' };
import zh_Hans_transactions from './zh-Hans/transactions.json' with { type: 'json' };
import zh_Hans_webhooks from './zh-Hans/webhooks.json' with { type: 'json' };

/** The account area's texts by BCP 47 tag; each language is one of the buyers' pages. */
export const accountLanguages: Readonly<Record<string, Texts>> = {
  ar: withPageTitles({
    acquirers: ar_acquirers,
    audit_log: ar_audit_log,
    branding: ar_branding,
    crypto: ar_crypto,
    email: ar_email,
    integration: ar_integration,
    join: ar_join,
    mails: ar_mails,
    me: ar_me,
    merchants: ar_merchants,
    new_link: ar_new_link,
    overview: ar_overview,
    reusable_links: ar_reusable_links,
    reviews: ar_reviews,
    send_link: ar_send_link,
    settings: ar_settings,
    shell: ar_shell,
    sign_in: ar_sign_in,
    statuses: ar_statuses,
    team: ar_team,
    transactions: ar_transactions,
    webhooks: ar_webhooks,
  }),
  de: withPageTitles({
    acquirers: de_acquirers,
    audit_log: de_audit_log,
    branding: de_branding,
    crypto: de_crypto,
    email: de_email,
    integration: de_integration,
    join: de_join,
    mails: de_mails,
    me: de_me,
    merchants: de_merchants,
    new_link: de_new_link,
    overview: de_overview,
    reusable_links: de_reusable_links,
    reviews: de_reviews,
    send_link: de_send_link,
    settings: de_settings,
    shell: de_shell,
    sign_in: de_sign_in,
    statuses: de_statuses,
    team: de_team,
    transactions: de_transactions,
    webhooks: de_webhooks,
  }),
  en: withPageTitles({
    acquirers: en_acquirers,
    audit_log: en_audit_log,
    branding: en_branding,
    crypto: en_crypto,
    email: en_email,
    integration: en_integration,
    join: en_join,
    mails: en_mails,
    me: en_me,
    merchants: en_merchants,
    new_link: en_new_link,
    overview: en_overview,
    reusable_links: en_reusable_links,
    reviews: en_reviews,
    send_link: en_send_link,
    settings: en_settings,
    shell: en_shell,
    sign_in: en_sign_in,
    statuses: en_statuses,
    team: en_team,
    transactions: en_transactions,
    webhooks: en_webhooks,
  }),
  es: withPageTitles({
    acquirers: es_acquirers,
    audit_log: es_audit_log,
    branding: es_branding,
    crypto: es_crypto,
    email: es_email,
    integration: es_integration,
    join: es_join,
    mails: es_mails,
    me: es_me,
    merchants: es_merchants,
    new_link: es_new_link,
    overview: es_overview,
    reusable_links: es_reusable_links,
    reviews: es_reviews,
    send_link: es_send_link,
    settings: es_settings,
    shell: es_shell,
    sign_in: es_sign_in,
    statuses: es_statuses,
    team: es_team,
    transactions: es_transactions,
    webhooks: es_webhooks,
  }),
  fr: withPageTitles({
    acquirers: fr_acquirers,
    audit_log: fr_audit_log,
    branding: fr_branding,
    crypto: fr_crypto,
    email: fr_email,
    integration: fr_integration,
    join: fr_join,
    mails: fr_mails,
    me: fr_me,
    merchants: fr_merchants,
    new_link: fr_new_link,
    overview: fr_overview,
    reusable_links: fr_reusable_links,
    reviews: fr_reviews,
    send_link: fr_send_link,
    settings: fr_settings,
    shell: fr_shell,
    sign_in: fr_sign_in,
    statuses: fr_statuses,
    team: fr_team,
    transactions: fr_transactions,
    webhooks: fr_webhooks,
  }),
  hi: withPageTitles({
    acquirers: hi_acquirers,
    audit_log: hi_audit_log,
    branding: hi_branding,
    crypto: hi_crypto,
    email: hi_email,
    integration: hi_integration,
    join: hi_join,
    mails: hi_mails,
    me: hi_me,
    merchants: hi_merchants,
    new_link: hi_new_link,
    overview: hi_overview,
    reusable_links: hi_reusable_links,
    reviews: hi_reviews,
    send_link: hi_send_link,
    settings: hi_settings,
    shell: hi_shell,
    sign_in: hi_sign_in,
    statuses: hi_statuses,
    team: hi_team,
    transactions: hi_transactions,
    webhooks: hi_webhooks,
  }),
  id: withPageTitles({
    acquirers: id_acquirers,
    audit_log: id_audit_log,
    branding: id_branding,
    crypto: id_crypto,
    email: id_email,
    integration: id_integration,
    join: id_join,
    mails: id_mails,
    me: id_me,
    merchants: id_merchants,
    new_link: id_new_link,
    overview: id_overview,
    reusable_links: id_reusable_links,
    reviews: id_reviews,
    send_link: id_send_link,
    settings: id_settings,
    shell: id_shell,
    sign_in: id_sign_in,
    statuses: id_statuses,
    team: id_team,
    transactions: id_transactions,
    webhooks: id_webhooks,
  }),
  ja: withPageTitles({
    acquirers: ja_acquirers,
    audit_log: ja_audit_log,
    branding: ja_branding,
    crypto: ja_crypto,
    email: ja_email,
    integration: ja_integration,
    join: ja_join,
    mails: ja_mails,
    me: ja_me,
    merchants: ja_merchants,
    new_link: ja_new_link,
    overview: ja_overview,
    reusable_links: ja_reusable_links,
    reviews: ja_reviews,
    send_link: ja_send_link,
    settings: ja_settings,
    shell: ja_shell,
    sign_in: ja_sign_in,
    statuses: ja_statuses,
    team: ja_team,
    transactions: ja_transactions,
    webhooks: ja_webhooks,
  }),
  pt: withPageTitles({
    acquirers: pt_acquirers,
    audit_log: pt_audit_log,
    branding: pt_branding,
    crypto: pt_crypto,
    email: pt_email,
    integration: pt_integration,
    join: pt_join,
    mails: pt_mails,
    me: pt_me,
    merchants: pt_merchants,
    new_link: pt_new_link,
    overview: pt_overview,
    reusable_links: pt_reusable_links,
    reviews: pt_reviews,
    send_link: pt_send_link,
    settings: pt_settings,
    shell: pt_shell,
    sign_in: pt_sign_in,
    statuses: pt_statuses,
    team: pt_team,
    transactions: pt_transactions,
    webhooks: pt_webhooks,
  }),
  th: withPageTitles({
    acquirers: th_acquirers,
    audit_log: th_audit_log,
    branding: th_branding,
    crypto: th_crypto,
    email: th_email,
    integration: th_integration,
    join: th_join,
    mails: th_mails,
    me: th_me,
    merchants: th_merchants,
    new_link: th_new_link,
    overview: th_overview,
    reusable_links: th_reusable_links,
    reviews: th_reviews,
    send_link: th_send_link,
    settings: th_settings,
    shell: th_shell,
    sign_in: th_sign_in,
    statuses: th_statuses,
    team: th_team,
    transactions: th_transactions,
    webhooks: th_webhooks,
  }),
  vi: withPageTitles({
    acquirers: vi_acquirers,
    audit_log: vi_audit_log,
    branding: vi_branding,
    crypto: vi_crypto,
    email: vi_email,
    integration: vi_integration,
    join: vi_join,
    mails: vi_mails,
    me: vi_me,
    merchants: vi_merchants,
    new_link: vi_new_link,
    overview: vi_overview,
    reusable_links: vi_reusable_links,
    reviews: vi_reviews,
    send_link: vi_send_link,
    settings: vi_settings,
    shell: vi_shell,
    sign_in: vi_sign_in,
    statuses: vi_statuses,
    team: vi_team,
    transactions: vi_transactions,
    webhooks: vi_webhooks,
  }),
  'zh-Hans': withPageTitles({
    acquirers: zh_Hans_acquirers,
    audit_log: zh_Hans_audit_log,
    branding: zh_Hans_branding,
    crypto: zh_Hans_crypto,
    email: zh_Hans_email,
    integration: zh_Hans_integration,
    join: zh_Hans_join,
    mails: zh_Hans_mails,
    me: zh_Hans_me,
    merchants: zh_Hans_merchants,
    new_link: zh_Hans_new_link,
    overview: zh_Hans_overview,
    reusable_links: zh_Hans_reusable_links,
    reviews: zh_Hans_reviews,
    send_link: zh_Hans_send_link,
    settings: zh_Hans_settings,
    shell: zh_Hans_shell,
    sign_in: zh_Hans_sign_in,
    statuses: zh_Hans_statuses,
    team: zh_Hans_team,
    transactions: zh_Hans_transactions,
    webhooks: zh_Hans_webhooks,
  }),
};
