package io.onefold.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Addresses and blocks of them: {@code 10.0.0.0/8}, {@code 192.0.2.7}, {@code fd00::/8}. */
public final class AddressBlocks {
    static final String ALLOWED = "an address or a block of them, such as 10.0.0.7, 10.0.0.0/8 or fd00::/8";

    private static final String OCTET = "(0|[1-9][0-9]{0,2})";

    /**
     * Accepts no names, because the owner of their DNS could choose who is trusted. Accepts no IPv4 address with fewer
     * than four numbers either: 10.1 would be 10.0.0.1.
     */
    private static final Pattern LITERAL =
            Pattern.compile(OCTET + "(\\." + OCTET + "){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private final List<AddressBlock> blocks;

    private AddressBlocks(List<AddressBlock> blocks) {
        this.blocks = blocks;
    }

    public static AddressBlocks of(List<String> texts) {
        List<AddressBlock> blocks = new ArrayList<>();
        for (String text : texts) {
            blocks.add(AddressBlock.parse(text));
        }
        return new AddressBlocks(List.copyOf(blocks));
    }

    public boolean isEmpty() {
        return blocks.isEmpty();
    }

    public boolean contain(InetAddress address) {
        for (AddressBlock block : blocks) {
            if (block.contains(address.getAddress())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return String.join(", ", blocks.stream().map(AddressBlock::text).toList());
    }

    private record AddressBlock(String text, byte[] address, int bits) {

        static AddressBlock parse(String text) {
            int slash = text.indexOf('/');
            String literal = slash < 0 ? text : text.substring(0, slash);
            try {
                if (LITERAL.matcher(literal).matches()) {
                    byte[] address = InetAddress.getByName(literal).getAddress();
                    int all = address.length * 8;
                    int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
                    // an IPv4 address written as IPv6 is parsed to four bytes, but its prefix was meant for sixteen
                    boolean plain = (literal.indexOf(':') < 0) == (address.length == 4);
                    if (plain && bits >= 0 && bits <= all) {
                        return begun(text, address, bits);
                    }
                }
            } catch (UnknownHostException | NumberFormatException e) {
                // reported below, with the allowed forms
            }
            throw new IllegalArgumentException("\"" + text + "\" is not " + ALLOWED);
        }

        /** Rejects bits after the prefix: either the address or the prefix is a mistake. */
        private static AddressBlock begun(String text, byte[] address, int bits) throws UnknownHostException {
            byte[] first = address.clone();
            for (int bit = bits; bit < first.length * 8; bit++) {
                first[bit >> 3] &= (byte) ~(0x80 >> (bit & 7));
            }
            if (!Arrays.equals(first, address)) {
                String begin = InetAddress.getByAddress(first).getHostAddress();
                throw new IllegalArgumentException("\"" + text + "\" has bits set behind its prefix of " + bits
                        + "; the block begins at " + begin + ": write " + begin + "/" + bits + ", or a longer prefix");
            }
            return new AddressBlock(text, address, bits);
        }

        boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if ((other[bit >> 3] & mask) != (address[bit >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }
}
