package siemload.dataset.learn;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import siemload.dataset.SeededRandom;

/**
 * Names in the place of those of a stream: each word becomes a made-up one of its length, always the same one for the same word and
 * another one for each. Words are made from the order in which they are asked for and from their lengths, never from their letters, so that
 * nothing can be computed back. Not thread-safe.
 */
final class Pseudonyms {
    /** What IDEA itself defines (categories, types of nodes, types of sources), and well-known protocols, names no person or machine: it stays. */
    private static final Set<String> STANDARD = Set.copyOf(List.of("""
            Abusive Abusive.Spam Abusive.Harassment Abusive.Child Abusive.Sexual Abusive.Violence Malware
            Malware.Virus Malware.Worm Malware.Trojan Malware.Spyware Malware.Dialer Malware.Rootkit Recon
            Recon.Scanning Recon.Sniffing Recon.SocialEngineering Recon.Searching Attempt Attempt.Exploit
            Attempt.Login Attempt.NewSignature Intrusion Intrusion.AdminCompromise Intrusion.UserCompromise
            Intrusion.AppCompromise Intrusion.Botnet Availability Availability.DoS Availability.DDoS
            Availability.Sabotage Availability.Outage Information Information.UnauthorizedAccess
            Information.UnauthorizedModification Fraud Fraud.UnauthorizedUsage Fraud.Copyright Fraud.Masquerade
            Fraud.Phishing Fraud.Scam Vulnerable Vulnerable.Open Vulnerable.Config Anomaly Anomaly.Traffic
            Anomaly.Connection Anomaly.Protocol Anomaly.System Anomaly.Application Anomaly.Behaviour Other Test
            Connection Datagram Content Data File Flow Log Protocol Host Network Correlation External Reporting
            Blackhole Signature Statistical Heuristic Integrity Policy Honeypot Tarpit Monitor Relay
            Blacklist Human Proxy OriginMalware OriginSandbox OriginSpam Phishing MITM Spam Backscatter
            Open Poisoned FastFlux Botnet CC Tor Incomplete
            tcp udp icmp icmp6 ipv6-icmp igmp gre esp ah sctp ip ipv4 ipv6 arp ssh telnet http https ftp
            ftp-data smtp smtps submission pop3 pop3s imap imaps domain dns ntp snmp snmptrap ssdp sip sips rtp
            ldap ldaps microsoft-ds ms-wbt-server rdp vnc rfb netbios-ns netbios-dgm netbios-ssn epmap ms-sql-s
            ms-sql-m mysql redis tftp syslog ssl tls quic mqtt coap upnp smb cifs nfs irc socks http-alt rtsp
            memcache
            """.strip().split("\\s+")));

    private static final Pattern PART = Pattern.compile("0+|[\\p{L}\\p{N}]+|[^ -~]");
    private static final String CONSONANTS = "bdfgklmnprstvz";
    private static final String VOWELS = "aeiou";
    private static final int LONGEST_WORD = 60;
    /** A word is tried so often before a longer one is made. */
    private static final int TRIES = 20;

    private final Learner.Names rule;
    private final SeededRandom random;
    private final Map<String, String> words = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    Pseudonyms(Learner.Names rule, long seed) {
        this.rule = rule;
        random = new SeededRandom(seed);
    }

    /** In the place of a name, or of a description in which digits are 0. */
    String of(String name) {
        if (name.isBlank()) {
            return "-";
        }
        return rule == Learner.Names.KEEP || STANDARD.contains(name)
                ? name
                : PART.matcher(name).replaceAll(part -> replaced(part.group()));
    }

    List<String> of(List<String> names) {
        return names.stream().map(this::of).toList();
    }

    private String replaced(String part) {
        char first = part.charAt(0);
        if (first == '0' || !Character.isLetterOrDigit(first)) {
            return first == '0' ? part : "?";
        }
        String made = words.computeIfAbsent(part.toLowerCase(Locale.ROOT), word -> {
            for (int tried = 0; ; tried++) {
                String fresh = madeUp(Math.min(word.length(), LONGEST_WORD) + tried / TRIES);
                if (taken.add(fresh)) {
                    return fresh;
                }
            }
        });
        return Character.isUpperCase(first) ? Character.toUpperCase(made.charAt(0)) + made.substring(1) : made;
    }

    /** A sentence of made-up words with so many characters, two at least. */
    String sentence(long length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < Math.max(2, length) - 1) {
            long left = Math.max(2, length) - 1 - text.length();
            text.append(text.isEmpty() ? "" : " ").append(madeUp((int) Math.min(left, 3 + text.length() % 7)));
        }
        return text.append('.').toString();
    }

    private String madeUp(int length) {
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            String letters = i % 2 == 0 ? CONSONANTS : VOWELS;
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }
}
