package io.onefold.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Addresses and blocks of them: {@code 10.0.0.0/8}, {@code 192.0.2.7}, {@code fd00::/8}. */
public final class Networks {
    static final String ALLOWED = "an address or a block of them, such as 10.0.0.7, 10.0.0.0/8 or fd00::/8";

    /** Names are not taken: whoever answers for them could choose who is believed. */
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private final List<Block> blocks;

    private Networks(List<Block> blocks) {
        this.blocks = blocks;
    }

    public static Networks of(List<String> texts) {
        List<Block> blocks = new ArrayList<>();
        for (String text : texts) {
            blocks.add(Block.parse(text));
        }
        return new Networks(List.copyOf(blocks));
    }

    public boolean isEmpty() {
        return blocks.isEmpty();
    }

    public boolean contain(InetAddress address) {
        return blocks.stream().anyMatch(block -> block.contains(address.getAddress()));
    }

    @Override
    public String toString() {
        return String.join(", ", blocks.stream().map(Block::text).toList());
    }

    private record Block(String text, byte[] address, int bits) {

        static Block parse(String text) {
            int slash = text.indexOf('/');
            String literal = slash < 0 ? text : text.substring(0, slash);
            try {
                if (LITERAL.matcher(literal).matches()) {
                    byte[] address = InetAddress.getByName(literal).getAddress();
                    int all = address.length * 8;
                    int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
                    if (bits >= 0 && bits <= all) {
                        return new Block(text, address, bits);
                    }
                }
            } catch (UnknownHostException | NumberFormatException e) {
                // said below, with what is allowed
            }
            throw new IllegalArgumentException("\"" + text + "\" is not " + ALLOWED);
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
