/* Generated from the language folders here by `npm run generate`. */
import type { Texts } from '../languages.ts';
import en_acquirers from './en/acquirers.json' with { type: 'json' };
import en_audit_log from './en/audit-log.json' with { type: 'json' };
import en_crypto from './en/crypto.json' with { type: 'json' };
import en_decisions from './en/decisions.json' with { type: 'json' };
import en_integration from './en/integration.json' with { type: 'json' };
import en_join from './en/join.json' with { type: 'json' };
import en_me from './en/me.json' with { type: 'json' };
import en_merchants from './en/merchants.json' with { type: 'json' };
import en_new_link from './en/new-link.json' with { type: 'json' };
import en_overview from './en/overview.json' with { type: 'json' };
import en_settings from './en/settings.json' with { type: 'json' };
import en_shell from './en/shell.json' with { type: 'json' };
import en_sign_in from './en/sign-in.json' with { type: 'json' };
import en_team from './en/team.json' with { type: 'json' };
import en_transactions from './en/transactions.json' with { type: 'json' };
import es_acquirers from './es/acquirers.json' with { type: 'json' };
import es_audit_log from './es/audit-log.json' with { type: 'json' };
import es_crypto from './es/crypto.json' with { type: 'json' };
import es_decisions from './es/decisions.json' with { type: 'json' };
import es_integration from './es/integration.json' with { type: 'json' };
import es_join from './es/join.json' with { type: 'json' };
import es_me from './es/me.json' with { type: 'json' };
import es_merchants from './es/merchants.json' with { type: 'json' };
import es_new_link from './es/new-link.json' with { type: 'json' };
import es_overview from './es/overview.json' with { type: 'json' };
import es_settings from './es/settings.json' with { type: 'json' };
import es_shell from './es/shell.json' with { type: 'json' };
import es_sign_in from './es/sign-in.json' with { type: 'json' };
import es_team from './es/team.json' with { type: 'json' };
import es_transactions from './es/transactions.json' with { type: 'json' };
import id_acquirers from './id/acquirers.json' with { type: 'json' };
import id_audit_log from './id/audit-log.json' with { type: 'json' };
import id_crypto from './id/crypto.json' with { type: 'json' };
import id_decisions from './id/decisions.json' with { type: 'json' };
import id_integration from './id/integration.json' with { type: 'json' };
import id_join from './id/join.json' with { type: 'json' };
import id_me from './id/me.json' with { type: 'json' };
import id_merchants from './id/merchants.json' with { type: 'json' };
import id_new_link from './id/new-link.json' with { type: 'json' };
import id_overview from './id/overview.json' with { type: 'json' };
import id_settings from './id/settings.json' with { type: 'json' };
import id_shell from './id/shell.json' with { type: 'json' };
import id_sign_in from './id/sign-in.json' with { type: 'json' };
import id_team from './id/team.json' with { type: 'json' };
import id_transactions from './id/transactions.json' with { type: 'json' };
import pt_acquirers from './pt/acquirers.json' with { type: 'json' };
import pt_audit_log from './pt/audit-log.json' with { type: 'json' };
import pt_crypto from './pt/crypto.json' with { type: 'json' };
import pt_decisions from './pt/decisions.json' with { type: 'json' };
import pt_integration from './pt/integration.json' with { type: 'json' };
import pt_join from './pt/join.json' with { type: 'json' };
import pt_me from './pt/me.json' with { type: 'json' };
import pt_merchants from './pt/merchants.json' with { type: 'json' };
import pt_new_link from './pt/new-link.json' with { type: 'json' };
import pt_overview from './pt/overview.json' with { type: 'json' };
import pt_settings from './pt/settings.json' with { type: 'json' };
import pt_shell from './pt/shell.json' with { type: 'json' };
import pt_sign_in from './pt/sign-in.json' with { type: 'json' };
import pt_team from './pt/team.json' with { type: 'json' };
import pt_transactions from './pt/transactions.json' with { type: 'json' };
import th_acquirers from './th/acquirers.json' with { type: 'json' };
import th_audit_log from './th/audit-log.json' with { type: 'json' };
import th_crypto from './th/crypto.json' with { type: 'json' };
import th_decisions from './th/decisions.json' with { type: 'json' };
import th_integration from './th/integration.json' with { type: 'json' };
import th_join from './th/join.json' with { type: 'json' };
import th_me from './th/me.json' with { type: 'json' };
import th_merchants from './th/merchants.json' with { type: 'json' };
import th_new_link from './th/new-link.json' with { type: 'json' };
import th_overview from './th/overview.json' with { type: 'json' };
import th_settings from './th/settings.json' with { type: 'json' };
import th_shell from './th/shell.json' with { type: 'json' };
import th_sign_in from './th/sign-in.json' with { type: 'json' };
import th_team from './th/team.json' with { type: 'json' };
import th_transactions from './th/transactions.json' with { type: 'json' };
import vi_acquirers from './vi/acquirers.json' with { type: 'json' };
import vi_audit_log from './vi/audit-log.json' with { type: 'json' };
import vi_crypto from './vi/crypto.json' with { type: 'json' };
import vi_decisions from './vi/decisions.json' with { type: 'json' };
import vi_integration from './vi/integration.json' with { type: 'json' };
import vi_join from './vi/join.json' with { type: 'json' };
import vi_me from './vi/me.json' with { type: 'json' };
import vi_merchants from './vi/merchants.json' with { type: 'json' };
import vi_new_link from './vi/new-link.json' with { type: 'json' };
import vi_overview from './vi/overview.json' with { type: 'json' };
import vi_settings from './vi/settings.json' with { type: 'json' };
import vi_shell from './vi/shell.json' with { type: 'json' };
import vi_sign_in from './vi/sign-in.json' with { type: 'json' };
import vi_team from './vi/team.json' with { type: 'json' };
import vi_transactions from './vi/transactions.json' with { type: 'json' };

/** The account area's texts by BCP 47 tag; each language is one of the buyers' pages. */
export const accountLanguages: Readonly<Record<string, Texts>> = {
  en: {
    acquirers: en_acquirers,
    audit_log: en_audit_log,
    crypto: en_crypto,
    decisions: en_decisions,
    integration: en_integration,
    join: en_join,
    me: en_me,
    merchants: en_merchants,
    new_link: en_new_link,
    overview: en_overview,
    settings: en_settings,
    shell: en_shell,
    sign_in: en_sign_in,
    team: en_team,
    transactions: en_transactions,
  },
  es: {
    acquirers: es_acquirers,
    audit_log: es_audit_log,
    crypto: es_crypto,
    decisions: es_decisions,
    integration: es_integration,
    join: es_join,
    me: es_me,
    merchants: es_merchants,
    new_link: es_new_link,
    overview: es_overview,
    settings: es_settings,
    shell: es_shell,
    sign_in: es_sign_in,
    team: es_team,
    transactions: es_transactions,
  },
  id: {
    acquirers: id_acquirers,
    audit_log: id_audit_log,
    crypto: id_crypto,
    decisions: id_decisions,
    integration: id_integration,
    join: id_join,
    me: id_me,
    merchants: id_merchants,
    new_link: id_new_link,
    overview: id_overview,
    settings: id_settings,
    shell: id_shell,
    sign_in: id_sign_in,
    team: id_team,
    transactions: id_transactions,
  },
  pt: {
    acquirers: pt_acquirers,
    audit_log: pt_audit_log,
    crypto: pt_crypto,
    decisions: pt_decisions,
    integration: pt_integration,
    join: pt_join,
    me: pt_me,
    merchants: pt_merchants,
    new_link: pt_new_link,
    overview: pt_overview,
    settings: pt_settings,
    shell: pt_shell,
    sign_in: pt_sign_in,
    team: pt_team,
    transactions: pt_transactions,
  },
  th: {
    acquirers: th_acquirers,
    audit_log: th_audit_log,
    crypto: th_crypto,
    decisions: th_decisions,
    integration: th_integration,
    join: th_join,
    me: th_me,
    merchants: th_merchants,
    new_link: th_new_link,
    overview: th_overview,
    settings: th_settings,
    shell: th_shell,
    sign_in: th_sign_in,
    team: th_team,
    transactions: th_transactions,
  },
  vi: {
    acquirers: vi_acquirers,
    audit_log: vi_audit_log,
    crypto: vi_crypto,
    decisions: vi_decisions,
    integration: vi_integration,
    join: vi_join,
    me: vi_me,
    merchants: vi_merchants,
    new_link: vi_new_link,
    overview: vi_overview,
    settings: vi_settings,
    shell: vi_shell,
    sign_in: vi_sign_in,
    team: vi_team,
    transactions: vi_transactions,
  },
};
